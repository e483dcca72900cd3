#pragma once
// erf, erfc and the normal distribution function.
#include "gyre/simd/math_exp.h"

namespace gyre {
namespace {

/// p / q as a double word.
template <class V>
GYRE_INLINE Two<V> quotient(Two<V> p, Two<V> q) {
  V inv = V(1.0) / q.hi, y = p.hi * inv;
  Two<V> back = two_prod(y, q.hi);
  return {y, (((p.hi - back.hi) - back.lo) + (p.lo - y * q.lo)) * inv};
}

/// f(x) = g(t) / (1 + slope x), t = (x - centre) / (x + centre), x >= 0, slope and centre such that
/// products with them are exact (the map is that of Shepherd and Laframboise, Math. Comp. 36,
/// 1981). A single Horner chain: two in parallel would cost half an ulp more.
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

/// f(x) = g(s - 3/8) / (k + x), s = x / (k + x), x >= 0: faster, if one more rounding follows.
template <class V, int N>
GYRE_INLINE Two<V> shared_quotient(V x, double k, const double (&c)[N]) {
  V inv = V(1.0) / (x + V(k));
  return two_prod(inv, single_chain(fma_cancelling(x, inv, V(-0.375)), c));
}

/// e^(z^2) erfc(z) as a double word, 0 <= z.
template <int W>
GYRE_INLINE Two<Vec<float, W>> erfcx_positive(Vec<float, W> z) {
  return shared_quotient(z, 1.875, kErfcxShareF32);
}
template <int W>
GYRE_INLINE Two<Vec<double, W>> erfcx_positive(Vec<double, W> z) {
  return mapped_quotient(z, 4.0, 2.0, kErfcxTF64);
}

/// The k of Phi's shared_quotient.
inline constexpr double kNormalShift = 2.59375;

/// e^(a^2 / 2) Phi(-a) as a double word, 0 <= a.
template <int W>
GYRE_INLINE Two<Vec<float, W>> normal_positive(Vec<float, W> a) {
  return shared_quotient(a, kNormalShift, kNormalTailShareF32);
}
template <int W>
GYRE_INLINE Two<Vec<double, W>> normal_positive(Vec<double, W> a) {
  return mapped_quotient(a, 6.0, 1.0, kNormalTailTF64);
}

/// a times that, as one word or two.
template <int W>
GYRE_INLINE Vec<float, W> normal_moment(Vec<float, W> a) {
  using V = Vec<float, W>;
  V s = a / (a + V(kNormalShift));
  return s * single_chain(s - V(0.375), kNormalTailShareF32);
}
template <int W>
GYRE_INLINE Two<Vec<double, W>> normal_moment(Vec<double, W> a) {
  auto y = normal_positive(a);
  return {y.hi * a, y.lo * a};
}

/// (1 + q) 2^n = e^(-a^2 factor), with an exact square; factor is 1 or 1/2.
template <class T, int W>
GYRE_INLINE ExpParts<Vec<T, W>> gauss_parts(Vec<T, W> a, double factor) {
  using V = Vec<T, W>;
  using F = FloatTraits<T>;
  const double hi = -factor * F::kLog2EHi, lo = -factor * F::kLog2ELo;
  Two<V> square = two_prod(a, a);
  V n = fma(square.hi, V(hi), V(F::kMagic)) - F::kMagic;
  return {exp2m1_near_zero(product_rest(square, hi, lo, -n)), n};
}

/// y e^x for parts of e^x.
template <class V>
GYRE_INLINE V times_exp(Two<V> y, ExpParts<V> e) {
  return scale(y.hi + fma(y.hi, e.q, y.lo), e.n);
}
template <class V>
GYRE_INLINE V times_exp(V y, ExpParts<V> e) {
  return scale(fma(y, e.q, y), e.n);
}

/// 1 - e^(-a - m), a = |x|. The larger word of the reduced argument is exact where n is 0, and the
/// error of the others is lost in the 1.
template <int W>
GYRE_INLINE Vec<float, W> erf(Vec<float, W> x) {
  using V = Vec<float, W>;
  using F = FloatTraits<float>;
  V a = hold_below(abs(x), 4.0);
  V m = a * poly(a, kErfLogF32);
  V n = V(F::kMagic) - fma(a + m, V(F::kLog2EHi), V(F::kMagic));
  V hi = fma(n, V(-0.6931471805599453), -a), r = hi - m;
  V q = hi + fma(r * r, poly(r, kExpF32), -m);
  V power = power_of_two(n);
  return copysign(fma(-power, q, V(1.0) - power), x);
}
template <int W>
GYRE_INLINE Vec<double, W> erf(Vec<double, W> x) {
  using V = Vec<double, W>;
  V a = abs(x), z = x * x, h = hold_below(a, 6.0);
  V small = fma(x, poly(z, kErfF64), x);
  V tail = exp_within<true>(-(h * h)) * (poly(h, kErfcxPF64) / poly(h, kErfcxQF64));
  return select(a < V(1.0), small, copysign(V(1.0) - tail, x));
}

/// 1 - erf(x) with small relative error far above zero (down through the subnormal numbers).
template <class T, int W>
GYRE_INLINE Vec<T, W> erfc(Vec<T, W> x) {
  using V = Vec<T, W>;
  V h = hold_below(abs(x), sizeof(T) == 4 ? 10.1 : 27.3);
  auto e = gauss_parts(h, 1.0);
  auto y = erfcx_positive(h);
  V tail = times_exp(y, e);
  return select(x < V(0.0), V(2.0) - tail, tail);
}

/// The inverse of erf: infinite at -1 and 1, NaN beyond. Two of Halley's steps, whose error is the
/// cube of the last one, from Winitzki's approximation (2008; relative error 0.002). Above 1/2 they
/// solve for erfc, since 1 - x is exact.
template <class T, int W>
GYRE_INLINE Vec<T, W> erfinv(Vec<T, W> x) {
  using V = Vec<T, W>;
  constexpr double kSlope = 0.147, kStart = 2 / (3.141592653589793 * kSlope);
  const V a = abs(x);
  const auto inside = a < V(1.0), central = a < V(0.5);
  const V b = select(inside, a, V(0.0)), rest = V(1.0) - b;
  const V l = log(rest * (V(1.0) + b)), t = fma(V(0.5), l, V(kStart)), u = l * V(-1 / kSlope);
  V y = sqrt(u / (sqrt(fma(t, t, u)) + t));
  for (int step = 0; step < 2; ++step) {
    const V off = select(central, erf(y) - b, rest - erfc(y));
    const V e = V(0.8862269254527580) * off * exp(y * y);
    y = y - e / fma(y, e, V(1.0));
  }
  const V beyond = select(a == V(1.0), V(__builtin_inf()), V(__builtin_nan("")));
  return copysign(select(inside, y, beyond), x);
}

/// Parts of e^(-a^2 / 2) for a >= 0, with a clamped where even a Phi(-a) has vanished.
template <class V>
struct NormalParts {
  V a;
  ExpParts<V> e;
};
template <class T, int W>
GYRE_INLINE NormalParts<Vec<T, W>> normal_parts(Vec<T, W> a) {
  Vec<T, W> h = hold_below(a, sizeof(T) == 4 ? 14.4 : 38.7);
  return {h, gauss_parts(h, 0.5)};
}

/// The normal distribution: Phi(x) = erfc(-x / sqrt(2)) / 2, accurate in its tail, and its density.
template <class V>
struct NormalPair {
  V cdf, density;
};
template <class T, int W>
GYRE_INLINE NormalPair<Vec<T, W>> normal_pair(Vec<T, W> x) {
  using V = Vec<T, W>;
  auto p = normal_parts(abs(x));
  V tail = times_exp(normal_positive(p.a), p.e);
  V density = scale(V(0.3989422804014327) * (V(1.0) + p.e.q), p.e.n);
  return {select(x > V(0.0), V(1.0) - tail, tail), density};
}
template <class T, int W>
GYRE_INLINE Vec<T, W> normal_cdf(Vec<T, W> x) {
  return normal_pair(x).cdf;
}

}  // namespace
}  // namespace gyre
