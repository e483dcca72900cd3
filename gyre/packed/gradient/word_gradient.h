#pragma once
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/packed/gradient/factored.h"
#include "gyre/packed/packed_product.h"

namespace gyre {

struct GradientTiles;
/// The kernels of the instruction set in use.
const GradientTiles& gradient_tiles();

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

  /// A term of the gradient; `right` [count, cols] is times the Hadamard matrix and the scale.
  struct Term {
    FactoredTerm::Sort sort;
    Tensor left;  ///< as in FactoredTerm
    std::vector<float> right;
    int64_t count;
    /// Calls f(i, output) for each row i of `right` that belongs to an output; not for products.
    void each_row(FunctionRef<void(int64_t i, int64_t output)> f) const;
  };
  [[nodiscard]] const std::vector<Term>& terms() const { return terms_; }

 private:
  const PackedMatrix& w_;
  int64_t inputs_;
  std::vector<Term> terms_;
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

/// All of that for a packed tensor and its gradient, factored or plain: 96 times the memory of the
/// words, and 200 times on the way. Error{unsupported} for other tensors, Error{shape} for another
/// shape.
RBEGradient rbe_gradient(const Tensor& w, const Tensor& gradient);

/// Error{unsupported} naming `op` unless w is packed, Error{shape} for a gradient of another shape.
void require_gradient_of(const Tensor& w, const Tensor& gradient, const char* op);

/// The place of a bit: its word in the tile, and its number, 0 for the lowest of `lo`.
struct BitPlace {
  int word, bit;
};
/// Of an entry of GradientTiles::flips' result for one tile.
BitPlace bit_place(const RingFormat& format, int entry);

}  // namespace gyre
