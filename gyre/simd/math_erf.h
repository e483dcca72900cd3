#pragma once
// erf, erfc and the normal distribution function.
#include "gyre/simd/math_exp.h"

namespace gyre {
namespace {

/// A polynomial whose last coefficient outweighs the rest, with the error of its last step. A single
/// Horner chain: two in parallel would cost half an ulp more.
template <class T, int W, int N>
GYRE_INLINE Two<Vec<T, W>> horner_sum(Vec<T, W> x, const double (&c)[N]) {
  using V = Vec<T, W>;
  constexpr int kLast = N - 1;
  double upper[kLast];
  for (int i = 0; i < kLast; ++i) upper[i] = c[i];
  Two<V> s = fast_two_sum(V(c[kLast]), x * horner<1, 1>(V(upper[0]), x, upper));
  return {s.hi, s.lo + V(c[kLast] - double(T(c[kLast])))};
}

/// e^(z^2) erfc(z) in two words for z = z.hi + z.lo >= 0: one polynomial in
/// t = (z - 4) / (z + 4) over d = 1 + 2z (the map is that of Shepherd and Laframboise, Math. Comp.
/// 36, 1981). One division serves both quotients; their remainders correct them.
template <class T, int W>
GYRE_INLINE Two<Vec<T, W>> erfcx_positive(Two<Vec<T, W>> z) {
  using V = Vec<T, W>;
  V s = z.hi + V(4.0);
  Two<V> d = two_sum(V(1.0), z.hi + z.hi);
  V inv = V(1.0) / (s * d.hi), inv_s = inv * d.hi, inv_d = inv * s;
  V t = (z.hi - V(4.0)) * inv_s;
  Two<V> tz = two_prod(t, z.hi);
  V rest = ((fma(t + V(1.0), V(-4.0), z.hi) - tz.hi) - tz.lo) + z.lo * (V(1.0) - t);
  t = fma(rest, inv_s, t);
  Two<V> p = sizeof(T) == 4 ? horner_sum(t, kErfcxF32) : horner_sum(t, kErfcxF64);
  V y = p.hi * inv_d;
  Two<V> yd = two_prod(y, d.hi);
  return {y, (((p.hi - yd.hi) - yd.lo) + (p.lo - y * (d.lo + (z.lo + z.lo)))) * inv_d};
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
    big = V(1.0) - exp(-poly(hold_below(a, 4.0), kErfTailF32));
  } else {
    V h = hold_below(a, 6.0);
    big = V(1.0) - exp(-(h * h)) * erfcx_positive(Two<V>{h, V(0.0)}).hi;
  }
  big = copysign(big, x);
  return select(a < V(1.0), small, big);
}

/// 1 - erf(x), to its own relative error far above zero (down through the subnormal numbers).
template <class T, int W>
GYRE_INLINE Vec<T, W> erfc(Vec<T, W> x) {
  using V = Vec<T, W>;
  V h = hold_below(abs(x), sizeof(T) == 4 ? 10.1 : 27.3);
  auto e = gauss_parts(h, 1.0);
  Two<V> y = erfcx_positive(Two<V>{h, V(0.0)});
  V tail = scale(y.hi + fma(y.hi, e.q, y.lo), e.n);
  return select(x < V(0.0), V(2.0) - tail, tail);
}

/// factor Phi(-a) = y 2^n for a >= 0, Phi the normal distribution function.
template <class V>
struct NormalParts {
  V y, n;
};
template <class T, int W>
GYRE_INLINE NormalParts<Vec<T, W>> normal_tail(Vec<T, W> a, Vec<T, W> factor) {
  using V = Vec<T, W>;
  constexpr double kRoot = sizeof(T) == 4 ? 0.707106769084930419921875 : 0.7071067811865476;
  constexpr double kRootLo = sizeof(T) == 4 ? 1.21016175e-8 : -4.833646656726457e-17;
  V h = hold_below(a, sizeof(T) == 4 ? 14.4 : 38.7);
  auto e = gauss_parts(h, 0.5);
  Two<V> z = two_prod(h, V(kRoot));
  Two<V> y = erfcx_positive(Two<V>{z.hi, fma(h, V(kRootLo), z.lo)});
  V g = V(0.5) * factor;
  V p = y.hi * g;
  return {p + fma(p, e.q, y.lo * g), e.n};
}

/// The normal distribution function Phi(x) = erfc(-x / sqrt(2)) / 2, exact to its tail.
template <class T, int W>
GYRE_INLINE Vec<T, W> normal_cdf(Vec<T, W> x) {
  using V = Vec<T, W>;
  auto p = normal_tail(abs(x), V(1.0));
  V tail = scale(p.y, p.n);
  return select(x > V(0.0), V(1.0) - tail, tail);
}

}  // namespace
}  // namespace gyre
