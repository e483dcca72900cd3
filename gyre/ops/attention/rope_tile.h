#pragma once
#include <stdint.h>

namespace gyre {

/// Rotates n pairs (a[i step], b[i step]) in place by angles of these cosines and sines.
template <class T>
using RopeTile = void (*)(T* a, T* b, int64_t step, const T* cosines, const T* sines,
                          int64_t n) noexcept;

struct RopeTiles {
  RopeTile<float> f32;
  RopeTile<double> f64;
};

}  // namespace gyre
