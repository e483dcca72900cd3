#pragma once
#include <vector>

#include "gyre/packed/gradient/factored.h"
#include "gyre/packed/packed_product.h"

namespace gyre {

/// The gradient of the stored matrix of packed weights, those times their Hadamard matrix, for some
/// of its outputs at a time.
class StoredGradient {
 public:
  /// Of a gradient of the matrix, factored or plain. Keeps a transformed copy of its factors.
  StoredGradient(const PackedMatrix& w, const Tensor& gradient);

  /// Tiles of outputs that are computed together.
  static constexpr int64_t kTiles = 4;
  static constexpr int64_t kOutputs = kTiles * kTileOutputs;
  /// Inputs, with those of the last tile that are outside of the matrix: their gradient is 0.
  [[nodiscard]] int64_t inputs() const { return inputs_; }
  /// g[input][output] for kOutputs outputs from `row` on; 0 outside of the matrix.
  void compute(int64_t row, std::span<float> g) const;

  /// For each input the sum of the squares of what it was multiplied by, over all terms.
  [[nodiscard]] const std::vector<float>& input_squares() const { return input_squares_; }

 private:
  struct Term {
    FactoredTerm::Sort sort;
    const Tensor left;  // as in FactoredTerm
    std::vector<float> right;
    int64_t count;
  };
  void add_rows(const Term& term, int64_t row, float* g) const;

  const PackedMatrix& w_;
  int64_t inputs_;
  std::vector<Term> terms_;
  std::vector<float> input_squares_;
};

/// What the gradient of packed weights means for the parts of its words: u = 2 artanh r the scale
/// of a group, theta its angle, and every bit. The sums of gradient times weight that it names are
/// over the weights of a group.
struct RBEGradient {
  /// [words, 128] the change of the loss when the bit is flipped, to first order in the weights:
  /// bit 0 is the lowest of `lo`.
  Tensor hi;
  /// [groups, 2] the derivatives by u and theta, groups in the order of their headers.
  Tensor lo;
  /// [words, 128, 2] the derivatives of `hi` by u and theta.
  Tensor interactions;
};

/// All of that for a packed tensor and its gradient, factored or plain: 400 times the memory of the
/// words. Error{unsupported} for other tensors, Error{shape} for another shape.
RBEGradient rbe_gradient(const Tensor& w, const Tensor& gradient);

/// The place of a bit: its word in the tile, and its number, 0 for the lowest of `lo`.
struct BitPlace {
  int word, bit;
};
/// Of an entry of GradientTiles::flips' result for one tile.
BitPlace bit_place(const RingFormat& format, int entry);

}  // namespace gyre
