#pragma once
#include <stdint.h>

namespace gyre {

/// Copies `count` elements starting at `from` to column `to` of a panel.
struct Stretch {
  int64_t from, to, count, panel;
};

/// Rows of patches: out[k * out_row + s.to + i] = strip[offsets[k] + s.from + i] for each stretch
/// s; stretches are consecutive in `to`, starting at 0. Up to one vector minus one element is read
/// before and after each, and written after the last. `out` is vector-aligned and out_row a
/// multiple of the vector width.
template <class T>
struct PatchRows {
  const T* strip;
  const int64_t* offsets;
  int64_t rows;
  const Stretch* stretches;
  int64_t count;
  T* out;
  int64_t out_row;
};

/// Zero-padded rows of an image: `before` zeros, `count` elements, `after` zeros. Reads the
/// elements only; writes up to one vector minus one element past each row.
template <class T>
struct PaddedRows {
  const T* in;
  int64_t in_row;
  T* out;
  int64_t out_row;
  int64_t rows, before, count, after;
};

/// out[i] (+)= start + sum over k of weights[k] * strip[offsets[k] + i], i < n. Reads and writes up
/// to one vector minus one element past the end.
template <class T>
struct DirectSums {
  const T* strip;
  const int64_t* offsets;
  const T* weights;
  int64_t depth;
  T start;
  bool accumulate;
  T* out;
  int64_t n;
};

template <class T>
struct ConvTiles {
  void (*patches)(const PatchRows<T>&) noexcept;
  void (*pad)(const PaddedRows<T>&) noexcept;
  void (*direct)(const DirectSums<T>&) noexcept;
  /// Fills n elements with the value.
  void (*fill)(T value, T* out, int64_t n) noexcept;
  /// out[i] += in[i]
  void (*add)(const T* in, T* out, int64_t n) noexcept;
};

struct AllConvTiles {
  ConvTiles<float> f32;
  ConvTiles<double> f64;
};

}  // namespace gyre
