#pragma once
#include <concepts>
#include <type_traits>
#include <utility>

#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// A number of a tensor's dtype as an attribute of an op, such as a fill value: exact also for the
/// integers that a double cannot represent. Its field is a real number tagged kExact.
struct Number {
  Number() = default;
  Number(std::floating_point auto value) : real(value) {}
  Number(std::integral auto value)
      : real(static_cast<double>(value)),
        whole(static_cast<int64_t>(value)),
        is_whole(true),
        is_above(!std::in_range<int64_t>(value)) {}
  /// The 0-d literal.
  [[nodiscard]] Tensor literal() const {
    return is_above   ? Tensor(static_cast<uint64_t>(whole))
           : is_whole ? Tensor(whole)
                      : Tensor(real);
  }

  double real = 0;    ///< first, since readers of the field see it as a double
  int64_t whole = 0;  ///< the value if `is_whole`, which `real` then approximates
  bool is_whole = false;
  bool is_above = false;  ///< above the largest i64: `whole` has the bits of a u64
};
static_assert(std::is_standard_layout_v<Number>);

/// Tags a field of type Number.
inline constexpr uint32_t kExact = uint32_t{1} << 27;
template <>
inline constexpr Field::Type kFieldType<Number> = Field::real;

}  // namespace gyre
