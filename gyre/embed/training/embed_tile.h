#pragma once
#include <stdint.h>

namespace gyre {

/// The loss of one child x against its parent y_0 and K negatives (Nickel and Kiela, "Poincare
/// embeddings for learning hierarchical representations", 2017, equation 6):
/// d_0 + log sum_i e^{-d_i} = log(sum) + excess.
struct PairLoss {
  double sum, excess;
};

/// A node that a batch moves, and its first entry.
struct MovedRow {
  uint32_t node, begin;
};

/// One contribution to the gradient of a row: of target number `target` of a pair, or of its child.
struct GradientEntry {
  uint32_t pair, target;
  static constexpr uint32_t kIsChild = UINT32_MAX;
};

/// A multiple of 8.
constexpr int64_t whole_lines(int64_t doubles) { return (doubles + 7) / 8 * 8; }

/// The plan of a step (embed_step.h).
struct EmbedPlan {
  /// `stride` doubles per node, a multiple of 8: the `dim` coordinates, in the Poincare ball or in
  /// Euclidean space, then the defect b = 1 - |y|^2 and 1 / b (1 and 1 in Euclidean space).
  double* points;
  double* space;  ///< [nodes, dim]: coordinates on the hyperboloid; null in other geometries
  double* loss;
  const double* rate;
  const uint32_t* pairs;  ///< [pair_count, 1 + targets]: a child, its parent and negatives
  const MovedRow* rows;   ///< and behind them the end of the entries
  const GradientEntry* entries;
  int64_t dim, stride, pair_count, targets, row_count;

  /// [pair_count, record()]: toward and along (slots() doubles each), a copy of the child, since
  /// rows move one by one, and its gradient (`stride` each), and the loss. The gradient of the loss
  /// with respect to target y_i of child x is toward_i (y_i - x) + along_i y_i.
  double* records;
  constexpr int64_t slots() const { return whole_lines(targets); }
  constexpr int64_t record() const { return 2 * (slots() + stride) + 8; }
};

/// Leaves the record of a pair but for its loss, which it returns; gradients are 0 where child and
/// target coincide. `scratch` has (dim + 2) slots() doubles.
using PairTile = PairLoss (*)(const EmbedPlan& plan, int64_t pair, double* scratch) noexcept;

struct EmbedTiles {
#define GEOMETRY(space, Body) PairTile space;
#include "gyre/embed/training/geometries.def"
#undef GEOMETRY

  /// The gradient of a row, the sum of its entries in order.
  void (*row)(const EmbedPlan& plan, int64_t row, double* gradient) noexcept;

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
