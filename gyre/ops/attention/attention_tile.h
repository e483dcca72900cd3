#pragma once
#include <stddef.h>
#include <stdint.h>

namespace gyre {

/// A block of scores [rows, cols] with row stride `stride`. Row r sees columns below visible + r
/// (all when that is past cols).
template <class T>
struct ScoreBlock {
  T* scores;
  int64_t rows, cols, stride;
  int64_t visible;
  T scale;
};

template <class T>
struct AttentionTile {
  /// Scores to cap tanh(scale s / cap), all columns; the derivatives by scale s to `slopes`, a
  /// block of the same stride, if not null.
  void (*cap)(const ScoreBlock<T>& s, T cap, T* slopes) noexcept;
  /// Scores to weights exp(scale s - top), where top[r] becomes the larger of itself and the row's
  /// scaled maximum; sum[r] and the row's `width` numbers of out are scaled to the new top, the
  /// weights added to sum. Unseen columns and scores of -infinity get weight 0.
  void (*forward)(const ScoreBlock<T>& s, T* top, T* sum, T* out, int64_t out_stride,
                  int64_t width) noexcept;
  /// out rows divided by sum; 0 where that is 0.
  void (*finish)(const T* sum, T* out, int64_t out_stride, int64_t rows, int64_t width) noexcept;
  /// One row from its results over `parts` of the keys, before finish(): tops and sums are `step`
  /// apart, outs `out_step`. The parts count in their order; 0 where all sums are 0.
  void (*merge)(const T* top, const T* sum, int64_t step, const T* out, int64_t out_step,
                int64_t parts, T* result, int64_t width) noexcept;
  /// Scores to probabilities exp(scale s - top) / sum; 0 where sum is 0.
  void (*probabilities)(const ScoreBlock<T>& s, const T* top, const T* sum) noexcept;
  /// d[r] = sum over columns of a[r] * b[r].
  void (*row_dot)(const T* a, int64_t a_stride, const T* b, int64_t b_stride, T* d, int64_t rows,
                  int64_t width) noexcept;
  /// dp = p (dp - dot[r]) scale, elementwise, of two blocks of one stride.
  void (*score_gradient)(const ScoreBlock<T>& p, T* dp, const T* dot) noexcept;
};

struct AttentionTiles {
  AttentionTile<float> f32;
  AttentionTile<double> f64;
};

/// Rotates n pairs (a[i step], b[i step]) in place by angles of these cosines and sines.
template <class T>
using RopeTile = void (*)(T* a, T* b, int64_t step, const T* cosines, const T* sines,
                          int64_t n) noexcept;

struct RopeTiles {
  RopeTile<float> f32;
  RopeTile<double> f64;
};

}  // namespace gyre
