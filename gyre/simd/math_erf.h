#pragma once
// erf, erfc and the normal distribution function.
#include "gyre/simd/math_exp.h"

namespace gyre {
namespace {

/// e^(z^2) erfc(z), z >= 0: one polynomial in t = (z - 4) / (z + 4) over 1 + 2z
/// (the map is that of Shepherd and Laframboise, Math. Comp. 36, 1981).
template <class T, int W>
GYRE_INLINE Vec<T, W> erfcx_positive(Vec<T, W> z) {
  using V = Vec<T, W>;
  V d = z + V(4.0), inv = V(1.0) / d;
  V t = (z - V(4.0)) * inv;
  Two<V> p = two_prod(t, z);  // t is corrected by z - 4 - t (z + 4)
  t = t + ((fma(t + V(1.0), V(-4.0), z) - p.hi) - p.lo) * inv;
  return poly(t, kErfcxF32, kErfcxF64) / (V(1.0) + (z + z));
}

/// e^(-a^2 factor) = q 2^n, the square without error; factor is 1 or 1/2.
template <class T, int W>
GYRE_INLINE ExpParts<Vec<T, W>> gauss_parts(Vec<T, W> a, double factor) {
  using V = Vec<T, W>;
  Two<V> square = two_prod(a, a);
  auto e = exp_parts(square.hi * -factor, square.lo * -factor);
  return {V(1.0) + e.q, e.n};
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
    V h = hold(a, 0.5, 6.0);
    big = V(1.0) - exp(-(h * h)) * erfcx_positive(h);
  }
  big = copysign(big, x);
  return select(a < V(1.0), small, big);
}

/// 1 - erf(x), to its own relative error far above zero (down through the subnormal numbers).
template <class T, int W>
GYRE_INLINE Vec<T, W> erfc(Vec<T, W> x) {
  using V = Vec<T, W>;
  V a = abs(x), z = x * x;
  V small = (V(1.0) - x) - x * poly(hold(z, 0.0, 1.0), kErfF32, kErfF64);
  V h = hold(a, 0.0, sizeof(T) == 4 ? 10.1 : 27.3);
  auto e = gauss_parts(h, 1.0);
  V tail = scale(e.q * erfcx_positive(h), e.n);
  return select(a < V(0.25), small, select(x < V(0.0), V(2.0) - tail, tail));
}

/// Phi(-a) = y 2^n for a >= 0.
template <class V>
struct NormalParts {
  V y, n;
};
template <class T, int W>
GYRE_INLINE NormalParts<Vec<T, W>> normal_tail(Vec<T, W> a) {
  using V = Vec<T, W>;
  V h = hold(a, 0.0, sizeof(T) == 4 ? 14.4 : 38.7);
  auto e = gauss_parts(h, 0.5);
  return {e.q * (V(0.5) * erfcx_positive(h * V(0.7071067811865476))), e.n};
}

/// Phi(x) - 1/2 for |x| < 1/2.
template <class T, int W>
GYRE_INLINE Vec<T, W> normal_middle(Vec<T, W> x) {
  using V = Vec<T, W>;
  V z = hold(x * x * V(0.5), 0.0, 1.0);
  V y = x * V(0.3535533905932737622);
  return fma(y, poly(z, kErfF32, kErfF64), y);
}

/// The normal distribution function Phi(x) = erfc(-x / sqrt(2)) / 2, exact to its tail.
template <class T, int W>
GYRE_INLINE Vec<T, W> normal_cdf(Vec<T, W> x) {
  using V = Vec<T, W>;
  V a = abs(x);
  auto p = normal_tail(a);
  V tail = scale(p.y, p.n);
  V sides = select(x > V(0.0), V(1.0) - tail, tail);
  return select(a < V(0.5), V(0.5) + normal_middle(x), sides);
}

}  // namespace
}  // namespace gyre
