#pragma once
#include <stddef.h>
#include <stdint.h>

namespace gyre {

/// n rows of a key-value cache, `row` elements apart.
struct CachedRun {
  const void* data;
  int64_t row, n, width;
  const float* scales;  ///< of the rows; null: 1
};

/// What attention does with rows of an element type, which it converts to f32 as it reads them.
struct KeyValueTile {
  /// scores[r * stride + j] = q[r] . key j, for `lines` rows of q, contiguous.
  void (*scores)(const float* q, int64_t lines, const CachedRun& keys, float* scores,
                 int64_t stride) noexcept;
  /// out[r] += the sum over j of weights[r * stride + j] times value j, for `lines` contiguous rows
  /// of out. Multiplies the weights by the scales.
  void (*mix)(float* weights, int64_t stride, int64_t lines, const CachedRun& values,
              float* out) noexcept;
  /// The rows as f32, contiguous.
  void (*widen)(const CachedRun& from, float* to) noexcept;
};

struct KeyValueTiles {
  KeyValueTile f32, f16, bf16, i8;
  /// x to integers of -127 .. 127 times a scale, the largest |x| / 127: to nearest, ties to even.
  /// Unless all elements are finite, the scale is NaN.
  void (*round)(const float* x, int64_t n, int8_t* to, float* scale) noexcept;
};

}  // namespace gyre
