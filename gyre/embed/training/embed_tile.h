#pragma once
#include <stdint.h>

namespace gyre {

/// Points as the kernels read them: a row of `stride` doubles a node, a multiple of 8. First the d
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

/// What a child's targets y_i, i < count, get of the gradient of its loss:
/// toward_i (y_i - x) + along_i y_i.
struct TargetGradients {
  double *toward, *along;
};

/// Bytes of working memory that `pair` needs.
constexpr int64_t pair_scratch_bytes(int64_t dim, int64_t count) {
  return (count + 7) / 8 * 8 * (dim + 2) * static_cast<int64_t>(sizeof(double));
}

/// Something that a pair wants of a row.
struct GradientEntry {
  uint32_t pair;    ///< whose child is x
  uint32_t target;  ///< place in TargetGradients of the row; kIsChild: the row is x itself
  static constexpr uint32_t kIsChild = UINT32_MAX;
};

struct EmbedTile {
  /// Gradients of one child's loss with respect to its targets and, of `stride` numbers, to itself.
  /// 0 where the child and a target are one point.
  PairLoss (*pair)(const PointRows& points, uint32_t child, const uint32_t* targets, int64_t count,
                   double* scratch, const TargetGradients& gradients,
                   double* child_gradient) noexcept;
};

struct EmbedTiles {
  EmbedTile hyperbolic, euclidean;

  /// The gradient of row y, summed over n entries in their order. Children and their gradients
  /// have `stride` numbers a pair; children are copies, so that rows may move one by one.
  void (*row)(const PointRows& points, uint32_t y, const GradientEntry* entries, int64_t n,
              const TargetGradients& gradients, const double* children,
              const double* child_gradients, double* gradient) noexcept;

  /// Keys that are ordered as the distances of x to `n` candidates, a multiple of 8:
  /// |x - y|^2 weight(y). Candidates lie by coordinate: all first ones, then all second ones, ...,
  /// then all weights.
  void (*keys)(const double* x, int64_t dim, const double* candidates, int64_t n,
               double* keys) noexcept;
  /// counts[i] += how many of these keys are at most limits[i], ascending; `counts` has 8 numbers a
  /// limit, whose sum it is.
  void (*within)(const double* x, int64_t dim, const double* candidates, int64_t n,
                 const double* limits, int64_t limit_count, double* counts) noexcept;
};

/// Those of this machine's instruction set.
const EmbedTiles& embed_tiles() noexcept;

}  // namespace gyre
