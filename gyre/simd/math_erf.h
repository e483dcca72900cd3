#pragma once
// erf, erfc and the normal distribution function.
#include "gyre/simd/math_exp.h"

namespace gyre {
namespace {

/// p(x) / q(x) by sums in double: at the far end of x the rounding of every step would show.
template <int W, int N, int M>
GYRE_INLINE Vec<float, W> rational(Vec<float, W> x, const double (&p)[N], const double (&q)[M]) {
  return in_double<W>([&](auto v) GYRE_INLINE_LAMBDA { return poly(v, p); }, x) /
         in_double<W>([&](auto v) GYRE_INLINE_LAMBDA { return poly(v, q); }, x);
}

/// p / q in two words.
template <class V>
GYRE_INLINE Two<V> quotient(Two<V> p, Two<V> q) {
  V inv = V(1.0) / q.hi, y = p.hi * inv;
  Two<V> back = two_prod(y, q.hi);
  return {y, (((p.hi - back.hi) - back.lo) + (p.lo - y * q.lo)) * inv};
}

/// f(x) = g(t) / (1 + slope x), t = (x - centre) / (x + centre), x >= 0, slope and centre such that
/// products with them are exact (the map is that of Shepherd and Laframboise, Math. Comp. 36, 1981).
/// A single Horner chain: two in parallel would cost half an ulp more.
template <class V, int N>
GYRE_INLINE Two<V> mapped_quotient(V x, double centre, double slope, const double (&c)[N]) {
  V inv = V(1.0) / (x + V(centre));
  V t = (x - V(centre)) * inv;
  Two<V> tx = two_prod(t, x);
  V rest = (fma(t + V(1.0), V(-centre), x) - tx.hi) - tx.lo;  // of t (x + centre)
  t = fma(rest, inv, t);
  double upper[N - 1];
  for (int i = 0; i < N - 1; ++i) upper[i] = c[i];
  Two<V> g = fast_two_sum(V(c[N - 1]), t * horner<1, 1>(V(upper[0]), t, upper));
  return quotient(g, two_sum(V(1.0), V(slope) * x));
}

/// e^(z^2) erfc(z) in two words, 0 <= z.
template <int W>
GYRE_INLINE Two<Vec<float, W>> erfcx_positive(Vec<float, W> z) {
  return {rational(z, kErfcxPF32, kErfcxQF32), Vec<float, W>(0.0)};
}
template <int W>
GYRE_INLINE Two<Vec<double, W>> erfcx_positive(Vec<double, W> z) {
  return mapped_quotient(z, 4.0, 2.0, kErfcxTF64);
}

/// e^(a^2 / 2) Phi(-a) in two words, 0 <= a; a times that if times_a.
template <bool times_a, int W>
GYRE_INLINE Two<Vec<float, W>> normal_positive(Vec<float, W> a) {
  auto p = [](auto v) GYRE_INLINE_LAMBDA {
    auto y = poly(v, kNormalTailPF32);
    return times_a ? v * y : y;
  };
  auto q = [](auto v) GYRE_INLINE_LAMBDA { return poly(v, kNormalTailQF32); };
  return {in_double<W>(p, a) / in_double<W>(q, a), Vec<float, W>(0.0)};
}
template <bool times_a, int W>
GYRE_INLINE Two<Vec<double, W>> normal_positive(Vec<double, W> a) {
  auto y = mapped_quotient(a, 6.0, 1.0, kNormalTailTF64);
  if constexpr (times_a) y = {y.hi * a, y.lo * a};
  return y;
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
    big = V(1.0) - exp(-(h * h)) * (poly(h, kErfcxPF64) / poly(h, kErfcxQF64));
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
  auto y = erfcx_positive(h);
  V tail = scale(y.hi + fma(y.hi, e.q, y.lo), e.n);
  return select(x < V(0.0), V(2.0) - tail, tail);
}

/// Phi(-a), Phi the normal distribution function, or a Phi(-a), for a >= 0.
template <bool times_a, class T, int W>
GYRE_INLINE Vec<T, W> normal_tail(Vec<T, W> a) {
  using V = Vec<T, W>;
  V h = hold_below(a, sizeof(T) == 4 ? 14.4 : 38.7);  // where even a Phi(-a) has vanished
  auto e = gauss_parts(h, 0.5);
  auto y = normal_positive<times_a>(h);
  return scale(y.hi + fma(y.hi, e.q, y.lo), e.n);
}

/// The normal distribution function Phi(x) = erfc(-x / sqrt(2)) / 2, exact to its tail.
template <class T, int W>
GYRE_INLINE Vec<T, W> normal_cdf(Vec<T, W> x) {
  using V = Vec<T, W>;
  V tail = normal_tail<false>(abs(x));
  return select(x > V(0.0), V(1.0) - tail, tail);
}

}  // namespace
}  // namespace gyre
