#pragma once
#include <span>
#include <vector>

#include "gyre/packed/packed.h"

namespace gyre {

/// What errors of encoding name.
inline constexpr const char* kPackedEncode = "packed_encode";

/// Errors of packed_encode() for what it is given: value, dtype.
void check_encode(const Tensor& x, int seed);
/// The elements of x. Error{numeric} of packed_encode() naming one that is not finite.
std::vector<float> finite_weights(const Tensor& x);

/// Writes words of `numbers` over `size`, by the format's usual angle: a second layer takes what
/// the first leaves. NaN stands for any number. `steps` numbers for each word.
void encode_numbers(const RingFormat& format, std::span<const float> numbers, double size,
                    std::span<Packed128> words);

/// The numbers of a group in the order of its words, and how they are encoded.
class GroupEncoder {
 public:
  /// For x, the weights times their Hadamard matrix, and that matrix's seed.
  GroupEncoder(const PackedStorage& to, const float* x, int seed)
      : to_(to), layout_(to.layout), x_(x), seed_(seed), steps_(layout_.ring().steps) {}

  /// Sets the factors of 16 rows, from their sizes over all columns. `more`, if not null, has for
  /// each row what is added to the mean square of its weights. Error{numeric} for weights that are
  /// too large.
  void scale_rows(int64_t row_tile, const double* more = nullptr);
  /// The root of the mean square of a group's weights over the factors of their rows, which are
  /// set; 0 if there is none.
  double size(const PackedLayout::Group& g);
  /// Sets the words and the header of a group whose rows have factors. Error{numeric} as
  /// packed_header().
  void encode(const PackedLayout::Group& g);

 private:
  struct Fit {
    double scale = 0, angle = 0;
  };
  void gather(const PackedLayout::Group& g);
  [[nodiscard]] Fit fitted(std::span<const Packed128> words) const;

  const PackedStorage& to_;
  const PackedLayout& layout_;
  const float* x_;
  int seed_, steps_;
  std::vector<float> numbers_;
};

}  // namespace gyre
