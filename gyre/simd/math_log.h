#pragma once
// log, log1p, log2, pow and the inverse hyperbolic functions.
#include "gyre/simd/math_exp.h"

namespace gyre {
namespace {

/// 2^e * (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), exact.
template <class V>
struct LogParts {
  V e, f;
};

/// For positive, finite x, subnormal ones too. Other x give finite rubbish.
template <class T, int W>
GYRE_INLINE LogParts<Vec<T, W>> log_parts(Vec<T, W> x) {
  using V = Vec<T, W>;
  using F = FloatTraits<T>;
  using I = typename V::I;
  constexpr double kTiny = sizeof(T) == 4 ? 1.1754943508222875e-38 : 2.2250738585072014e-308;
  constexpr double kLift = sizeof(T) == 4 ? 16777216.0 : 18014398509481984.0;
  constexpr double kLiftLog2 = sizeof(T) == 4 ? 24.0 : 54.0;
  constexpr I kMantissaBits = (I(1) << F::kMantissa) - 1;
  auto subnormal = x < V(kTiny);
  x = select(subnormal, x * kLift, x);
  const auto root = bits(V(0.70710678118654752));
  auto shifted = (bits(x) - root) + bits(V(1.0));  // exponent steps where 1 + f leaves sqrt(2)
  // The biased exponent as a number: or-ed into the low bits of 2^kMantissa.
  const V base(sizeof(T) == 4 ? 8388608.0 : 4503599627370496.0);
  auto biased = bit_cast<typename V::RI>(bit_cast<typename V::RU>(shifted) >> F::kMantissa);
  V e = V::from_bits(biased | bits(base)) - (base + V(double(F::kBias)));
  V m = V::from_bits((shifted & kMantissaBits) + root);
  e = select(subnormal, e - V(kLiftLog2), e);
  return {e, m - V(1.0)};
}

/// e ln2 + log(1 + f).
template <class T, int W>
GYRE_INLINE Vec<T, W> log_of_parts(Vec<T, W> e, Vec<T, W> f) {
  using V = Vec<T, W>;
  using F = FloatTraits<T>;
  if constexpr (sizeof(T) == 4) {
    V z = f * f;
    V y = fma(e, V(F::kLn2Lo), f * z * poly(f, kLogF32));
    return fma(e, V(F::kLn2Hi), f + fma(z, V(-0.5), y));
  } else {  // with s = f / (2 + f), log(1 + f) = f - (f^2 / 2 - s (f^2 / 2 + s^2 Q(s^2)))
    V s = f / (f + V(2.0));
    V z = s * s, h = V(0.5) * f * f;
    V t = fma(s, fma(z, poly(z, kLogSF64), h), e * F::kLn2Lo);
    return fma(e, V(F::kLn2Hi), f - (h - t));
  }
}

/// y where log is finite, else what log gives at zero, infinity, NaN and below zero.
template <class T, int W>
GYRE_INLINE Vec<T, W> log_edges(Vec<T, W> x, Vec<T, W> y) {
  using V = Vec<T, W>;
  const V inf(__builtin_inf());
  y = select(x == V(0.0), -inf, y);
  y = select(x < inf, y, x);  // +inf and NaN
  return select(x < V(0.0), V(__builtin_nan("")), y);
}

template <class T, int W>
GYRE_INLINE Vec<T, W> log(Vec<T, W> x) {
  auto p = log_parts(x);
  return log_edges(x, log_of_parts(p.e, p.f));
}

template <class T, int W>
GYRE_INLINE Vec<T, W> log1p(Vec<T, W> x) {
  using V = Vec<T, W>;
  V u = V(1.0) + x;
  V lo = select(x < V(1.0), x - (u - V(1.0)), V(1.0) - (u - x));
  auto p = log_parts(u);
  // Where e = 0, f + lo is x itself; else its rounding is below half an ulp of the result.
  V held = select(p.e > V(60.0), V(60.0), p.e);
  V f = p.f + select(x < V(1e9), lo * power_of_two(-held), V(0.0));
  V y = log_edges(u, log_of_parts(p.e, f));
  return select(abs(x) < V(sizeof(T) == 4 ? 1e-9 : 1e-17), x, y);
}

/// log(x) in two words, for positive finite x: relative error about 2^-66.
template <int W>
GYRE_INLINE Two<Vec<double, W>> log_two(Vec<double, W> x) {
  using V = Vec<double, W>;
  constexpr double kLn2Hi = 0.693147180559890330187045037746429443359375;  // 42 bits
  constexpr double kLn2Lo = 5.4979230187083711552420206887e-14;
  auto [e, f] = log_parts(x);
  Two<V> d = fast_two_sum(V(2.0), f);
  V inv = V(1.0) / d.hi;
  V s = f * inv;
  Two<V> p = two_prod(s, d.hi);
  Two<V> s2{s, (((f - p.hi) - p.lo) - s * d.lo) * inv};
  Two<V> z = s2 * s2;
  constexpr double kTwoThirds = 2.0 / 3.0;
  Two<V> cubic = (s2 * z) * Two<V>{V(kTwoThirds), V(3.7007434154171886e-17)};
  V rest = s * z.hi * z.hi * poly(z.hi, kLogS5F64);
  Two<V> y = add_smaller(Two<V>{e * kLn2Hi, e * kLn2Lo}, Two<V>{s + s, s2.lo + s2.lo});
  y = add_smaller(y, cubic);
  return fast_two_sum(y.hi, y.lo + rest);
}

/// x^y for x > 0 finite, y finite.
template <int W>
GYRE_INLINE Vec<double, W> pow_positive(Vec<double, W> x, Vec<double, W> y) {
  using V = Vec<double, W>;
  y = hold(y, -0x1p65, 0x1p65);  // decides the result for every x != 1, keeps products finite
  Two<V> l = log_two(x);
  Two<V> p = two_prod(l.hi, y);
  V lo = fma(l.lo, y, p.lo);
  lo = select(abs(p.hi) < V(800.0), lo, V(0.0));
  return exp(p.hi, lo);
}
template <int W>
GYRE_INLINE Vec<float, W> pow_positive(Vec<float, W> x, Vec<float, W> y) {
  return in_double<W>([](auto a, auto b) GYRE_INLINE_LAMBDA { return exp(b * log(a)); }, x, y);
}

/// IEEE pow, with every special case of C's annex F.
template <class T, int W>
GYRE_INLINE Vec<T, W> pow_of(Vec<T, W> x, Vec<T, W> y) {
  using V = Vec<T, W>;
  const V inf(__builtin_inf()), one(1.0), zero(0.0);
  V a = abs(x), b = abs(y);
  auto finite = (a > zero) & (a < inf) & (b < inf);
  V r = pow_positive(select(finite, a, one), select(finite, y, one));
  // |x| is 0 or inf, or y is infinite: the result is 0, 1 or inf by whether |x| > 1 and y > 0.
  V edge = select((a > one) ^ (y > zero), zero, inf);
  edge = select(a == one, one, edge);
  r = select(finite, r, edge);
  auto whole = (round(y) == y) & (b < inf);
  V h = y * 0.5;
  auto odd = whole & (round(h) != h);
  r = select(odd, copysign(r, x), r);
  r = select((x < zero) & (a < inf) & !whole & (b < inf), V(__builtin_nan("")), r);
  r = select((x != x) | (y != y), V(__builtin_nan("")), r);
  return select((y == zero) | (x == one), one, r);
}

}  // namespace
}  // namespace gyre
