#pragma once
#include <stdint.h>

namespace gyre {

/// Points in the layout of the kernels: `stride` doubles per node, a multiple of 8. First the dim
/// coordinates, in the Poincare ball or in Euclidean space, then the defect b = 1 - |y|^2 and 1 / b
/// (1 and 1 in Euclidean space), then zeros.
struct PointRows {
  const double* rows;
  int64_t dim, stride;
};

/// The loss of one child x against its parent y_0 and K negatives (Nickel and Kiela, "Poincare
/// embeddings for learning hierarchical representations", 2017, equation 6):
/// d_0 + log sum_i e^{-d_i} = log(sum) + excess.
struct PairLoss {
  double sum, excess;
};

/// Coefficients of the loss's gradients with respect to a child's targets y_i, i < count:
/// toward_i (y_i - x) + along_i y_i.
struct TargetGradients {
  double *toward, *along;
};

/// Bytes of scratch memory for `pair`.
constexpr int64_t pair_scratch_bytes(int64_t dim, int64_t count) {
  return (count + 7) / 8 * 8 * (dim + 2) * static_cast<int64_t>(sizeof(double));
}

/// One contribution to the gradient of a row.
struct GradientEntry {
  uint32_t pair;    ///< the pair, whose child is x
  uint32_t target;  ///< index of the row in TargetGradients; kIsChild: the row is x itself
  static constexpr uint32_t kIsChild = UINT32_MAX;
};

struct EmbedTile {
  /// Loss of one child, and its gradients with respect to the targets and (`stride` numbers) to the
  /// child. 0 where the child and a target coincide.
  PairLoss (*pair)(const PointRows& points, uint32_t child, const uint32_t* targets, int64_t count,
                   double* scratch, const TargetGradients& gradients,
                   double* child_gradient) noexcept;
};

struct EmbedTiles {
  EmbedTile hyperbolic, euclidean;

  /// The gradient of row y, summed over n entries in order. Children and their gradients have
  /// `stride` numbers per pair; children are copies, so rows may be updated one by one.
  void (*row)(const PointRows& points, uint32_t y, const GradientEntry* entries, int64_t n,
              const TargetGradients& gradients, const double* children,
              const double* child_gradients, double* gradient) noexcept;

  /// Keys that sort as the distances of x to `n` candidates, a multiple of 8: |x - y|^2 weight(y).
  /// Candidates are stored by coordinate: all first coordinates, then all second ones, ..., then
  /// all weights.
  void (*keys)(const double* x, int64_t dim, const double* candidates, int64_t n,
               double* keys) noexcept;
  /// counts[i] += number of keys <= limits[i]; limits ascend. `counts` has 8 partial sums per
  /// limit.
  void (*within)(const double* x, int64_t dim, const double* candidates, int64_t n,
                 const double* limits, int64_t limit_count, double* counts) noexcept;
};

/// The kernels for this machine's instruction set.
const EmbedTiles& embed_tiles() noexcept;

}  // namespace gyre
