#pragma once
// erf, erfc and the normal distribution.
#include "gyre/simd/math_exp.h"

namespace gyre {
namespace {

/// e^(z^2) erfc(z), z >= 0: one polynomial in t = (z - 4) / (z + 4) over (1 + 2z)
/// (the map is that of Shepherd and Laframboise, Math. Comp. 36, 1981).
template <class V>
GYRE_INLINE V erfcx_positive(V z) {
  V inv = V(1.0) / ((z + V(4.0)) * (V(1.0) + (z + z)));
  V t = (z - V(4.0)) * (V(1.0) + (z + z)) * inv;
  return poly(t, kErfcxF32, kErfcxF64) * ((z + V(4.0)) * inv);
}

template <class T, int W>
GYRE_INLINE Vec<T, W> erf(Vec<T, W> x) {
  using V = Vec<T, W>;
  V a = abs(x), z = x * x;
  V small = fma(x, poly(z, kErfF32, kErfF64), x);
  V big;
  if constexpr (sizeof(T) == 4) {
    big = V(1.0) - exp(-poly(hold(a, 0.0, 4.0), kErfTailF32));
  } else {
    V h = hold(a, 0.0, 6.0);
    big = V(1.0) - exp(-(h * h)) * erfcx_positive(h);
  }
  big = copysign(big, x);
  return select(a < V(1.0), small, big);
}

}  // namespace
}  // namespace gyre
