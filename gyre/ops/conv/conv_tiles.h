#pragma once
#include <stdint.h>

namespace gyre {

/// `count` elements from `from` on go to column `to` of a panel.
struct Stretch {
  int64_t from, to, count, panel;
};

/// Rows of patches: out[k * out_row + s.to + i] = strip[offsets[k] + s.from + i] for each stretch
/// s; these follow each other in `to`, from 0 on. Up to a vector less one element is read before
/// and behind each, and written behind the last. `out` lies on a vector's boundary and out_row is a
/// multiple of one.
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

/// Rows of an image between zeros: `before` of them, `count` elements, `after` more. Nothing is
/// read beside the elements; up to a vector less one element is written behind each row.
template <class T>
struct PaddedRows {
  const T* in;
  int64_t in_row;
  T* out;
  int64_t out_row;
  int64_t rows, before, count, after;
};

/// out[i] (+)= start + sum over k of weights[k] * strip[offsets[k] + i], i < n. Up to a vector less
/// one element is read and written behind.
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
  /// n times the value.
  void (*fill)(T value, T* out, int64_t n) noexcept;
  /// out[i] += in[i]
  void (*add)(const T* in, T* out, int64_t n) noexcept;
};

struct AllConvTiles {
  ConvTiles<float> f32;
  ConvTiles<double> f64;
};

}  // namespace gyre
