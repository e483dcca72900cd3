#pragma once
// erf, erfc and the normal distribution function.
#include "gyre/simd/math_exp.h"

namespace gyre {
namespace {

/// e^(z^2) erfc(z) in two words for z = z.hi + z.lo >= 0: one polynomial in
/// t = (z - 4) / (z + 4) over 1 + 2z (the map is that of Shepherd and Laframboise, Math. Comp. 36,
/// 1981). Both quotients are corrected by their remainders.
template <class T, int W>
GYRE_INLINE Two<Vec<T, W>> erfcx_positive(Two<Vec<T, W>> z) {
  using V = Vec<T, W>;
  V inv = V(1.0) / (z.hi + V(4.0));
  V t = (z.hi - V(4.0)) * inv, u = t + V(1.0);
  Two<V> tz = two_prod(t, z.hi);
  V rest = ((fma(u, V(-4.0), z.hi) - tz.hi) - tz.lo) + z.lo * (V(1.0) - t);
  t = t + rest * inv;
  V p = poly(t, kErfcxF32, kErfcxF64);
  Two<V> d = two_sum(V(1.0), z.hi + z.hi);
  V r = V(1.0) / d.hi, y = p * r;
  Two<V> yd = two_prod(y, d.hi);
  return {y, (((p - yd.hi) - yd.lo) - y * (d.lo + (z.lo + z.lo))) * r};
}

/// (1 + q) 2^n = e^(-a^2 factor), the square without error; factor is 1 or 1/2.
template <class T, int W>
GYRE_INLINE ExpParts<Vec<T, W>> gauss_parts(Vec<T, W> a, double factor) {
  Two<Vec<T, W>> square = two_prod(a, a);
  return exp_parts(square.hi * -factor, square.lo * -factor);
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
    big = V(1.0) - exp(-(h * h)) * erfcx_positive(Two<V>{h, V(0.0)}).hi;
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
  Two<V> y = erfcx_positive(Two<V>{h, V(0.0)});
  V tail = scale(y.hi + fma(y.hi, e.q, y.lo), e.n);
  return select(a < V(0.25), small, select(x < V(0.0), V(2.0) - tail, tail));
}

/// factor Phi(-a) = y 2^n for a >= 0.
template <class V>
struct NormalParts {
  V y, n;
};
template <class T, int W>
GYRE_INLINE NormalParts<Vec<T, W>> normal_tail(Vec<T, W> a, Vec<T, W> factor) {
  using V = Vec<T, W>;
  constexpr double kRoot = sizeof(T) == 4 ? 0.707106769084930419921875 : 0.7071067811865476;
  constexpr double kRootLo = sizeof(T) == 4 ? 1.21016175e-8 : -4.833646656726457e-17;
  V h = hold(a, 0.0, sizeof(T) == 4 ? 14.4 : 38.7);
  auto e = gauss_parts(h, 0.5);
  Two<V> z = two_prod(h, V(kRoot));
  Two<V> y = erfcx_positive(Two<V>{z.hi, fma(h, V(kRootLo), z.lo)});
  V g = V(0.5) * factor;
  Two<V> p = two_prod(y.hi, g);
  return {p.hi + fma(p.hi, e.q, fma(y.lo, g, p.lo)), e.n};
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
  auto p = normal_tail(a, V(1.0));
  V tail = scale(p.y, p.n);
  V sides = select(x > V(0.0), V(1.0) - tail, tail);
  return select(a < V(0.5), V(0.5) + normal_middle(x), sides);
}

}  // namespace
}  // namespace gyre
