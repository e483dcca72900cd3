#pragma once
#include <stdint.h>

namespace gyre {

/// The larger of two rows, NaN above all: where in[i] beats best[i], best[i] = in[i] and
/// place[i] = at, which is at most 2^24 (f32) or 2^53.
template <class T>
using LargerRow = void (*)(const T* in, T at, T* best, T* place, int64_t n) noexcept;

struct AllPoolTiles {
  LargerRow<float> f32;
  LargerRow<double> f64;
};

}  // namespace gyre
