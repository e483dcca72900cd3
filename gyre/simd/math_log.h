#pragma once
// log, log1p, log2, asinh, acosh, atanh.
#include "gyre/simd/math_exp.h"

namespace gyre {
namespace {

/// 2^e * (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), exact.
template <class V>
struct LogParts {
  V e, f;
};

/// For positive, normal, finite x. Other x give unspecified finite values.
template <class T, int W>
GYRE_INLINE LogParts<Vec<T, W>> log_parts_normal(Vec<T, W> x) {
  using V = Vec<T, W>;
  using F = FloatTraits<T>;
  constexpr auto kMantissaBits = (typename V::I(1) << F::kMantissa) - 1;
  const auto root = bits(V(0.70710678118654752));
  auto shifted = (bits(x) - root) + bits(V(1.0));  // exponent steps where 1 + f leaves sqrt(2)
  // The biased exponent as a number: or-ed into the low bits of 2^kMantissa.
  const V base(sizeof(T) == 4 ? 8388608.0 : 4503599627370496.0);
  auto biased = bit_cast<typename V::RI>(bit_cast<typename V::RU>(shifted) >> F::kMantissa);
  V e = V::from_bits(biased | bits(base)) - (base + V(double(F::kBias)));
  V m = V::from_bits((shifted & kMantissaBits) + root);
  return {e, m - V(1.0)};
}

/// The same for subnormal x too.
template <class T, int W>
GYRE_INLINE LogParts<Vec<T, W>> log_parts(Vec<T, W> x) {
  using V = Vec<T, W>;
  constexpr double kTiny = sizeof(T) == 4 ? 1.1754943508222875e-38 : 2.2250738585072014e-308;
  constexpr double kLift = sizeof(T) == 4 ? 16777216.0 : 18014398509481984.0;
  constexpr double kLiftLog2 = sizeof(T) == 4 ? 24.0 : 54.0;
  auto subnormal = x < V(kTiny);
  auto p = log_parts_normal(select(subnormal, x * V(kLift), x));
  return {select(subnormal, p.e - V(kLiftLog2), p.e), p.f};
}

/// log(1 + f) - f for f of log_parts.
template <class T, int W>
GYRE_INLINE Vec<T, W> log_tail(Vec<T, W> f) {
  using V = Vec<T, W>;
  V h = V(0.5) * f * f;
  if constexpr (sizeof(T) == 4) {
    return f * (f * f) * poly(f, kLogF32) - h;
  } else {  // with s = f / (2 + f), log(1 + f) = f - (f^2 / 2 - s (f^2 / 2 + s^2 Q(s^2)))
    V s = f / (f + V(2.0));
    V z = s * s;
    return s * fma(z, poly(z, kLogSF64), h) - h;
  }
}

/// e ln2 + log(1 + f).
template <class T, int W>
GYRE_INLINE Vec<T, W> log_of_parts(Vec<T, W> e, Vec<T, W> f) {
  using V = Vec<T, W>;
  using F = FloatTraits<T>;
  return fma(e, V(F::kLn2Hi), f + fma(e, V(F::kLn2Lo), log_tail(f)));
}

/// y where log is finite, else the value of log at zero, infinity, NaN and below zero.
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
GYRE_INLINE Vec<T, W> log2(Vec<T, W> x) {
  using V = Vec<T, W>;
  constexpr double kHi = sizeof(T) == 4 ? 1.44269502162933349609375 : 1.4426950408889634;
  constexpr double kLo = sizeof(T) == 4 ? 1.92596299112661746e-8 : 2.0355273740931033e-17;
  auto p = log_parts(x);
  V low = fma(p.f, V(kLo), log_tail(p.f) * V(kHi));
  Two<V> high = two_prod(p.f, V(kHi));
  return log_edges(x, (high.hi + (high.lo + low)) + p.e);
}

/// log(hi + lo) for |lo| below an ulp of hi and hi 0 or above 2^-60; near 1 as accurate as log1p.
template <class T, int W>
GYRE_INLINE Vec<T, W> log_sum(Vec<T, W> hi, Vec<T, W> lo) {
  using V = Vec<T, W>;
  auto p = log_parts_normal(hi);
  // Beyond 2^60 the low word has no effect, and may be NaN.
  V held = hold_below(p.e, 60.0);
  V f = p.f + select(hi < V(0x1p59), lo * power_of_two(-held), V(0.0));
  return log_edges(hi, log_of_parts(p.e, f));
}

template <class T, int W>
GYRE_INLINE Vec<T, W> log1p(Vec<T, W> x) {
  using V = Vec<T, W>;
  V u = V(1.0) + x;
  V lo = select(x < V(1.0), x - (u - V(1.0)), V(1.0) - (u - x));
  return select(abs(x) < V(sizeof(T) == 4 ? 1e-9 : 1e-17), x, log_sum(u, lo));
}

/// sqrt(x.hi + x.lo) as a double word, for x > 0; at 0 it is 0.
template <class V>
GYRE_INLINE Two<V> sqrt(Two<V> x) {
  V s = sqrt(x.hi);
  Two<V> p = two_prod(s, s);
  V lo = (((x.hi - p.hi) - p.lo) + x.lo) / (s + s);
  return {s, select(s > V(0.0), lo, V(0.0))};
}

template <class T, int W>
GYRE_INLINE Vec<T, W> asinh(Vec<T, W> x) {
  using V = Vec<T, W>;
  V a = abs(x), z = a * a;
  V small = fma(a * z, poly(z, kAsinhF32, kAsinhF64), a);
  auto huge = a > V(0x1p30);  // there asinh(a) = log(2a)
  V b = select(huge, V(1.0), a);
  Two<V> square = two_prod(b, b);
  Two<V> w = two_sum(square.hi, V(1.0));
  Two<V> root = sqrt(Two<V>{w.hi, w.lo + square.lo});
  Two<V> s = fast_two_sum(root.hi, b);
  V big = log_sum(select(huge, a, s.hi), select(huge, V(0.0), s.lo + root.lo));
  big = select(huge, big + V(0.6931471805599453), big);
  return copysign(select(a < V(0.5), small, big), x);
}

template <class T, int W>
GYRE_INLINE Vec<T, W> acosh(Vec<T, W> x) {
  using V = Vec<T, W>;
  auto huge = x > V(0x1p30);
  V t = select(huge, V(1.0), x - V(1.0));  // x = 1 + t, x^2 - 1 = 2t + t^2
  Two<V> square = two_prod(t, t);
  Two<V> w = two_sum(t + t, square.hi);
  Two<V> root = sqrt(Two<V>{w.hi, w.lo + square.lo});
  Two<V> u = fast_two_sum(root.hi, t);
  Two<V> s = two_sum(V(1.0), u.hi);
  V y = log_sum(select(huge, x, s.hi), select(huge, V(0.0), s.lo + (u.lo + root.lo)));
  y = select(huge, y + V(0.6931471805599453), y);
  return select(x < V(1.0), V(__builtin_nan("")), y);
}

template <class T, int W>
GYRE_INLINE Vec<T, W> atanh(Vec<T, W> x) {
  using V = Vec<T, W>;
  V a = abs(x), z = a * a;
  V small = fma(a * z, poly(z, kAtanhF32, kAtanhF64), a);
  Two<V> u = two_sum(V(1.0), (a + a) / (V(1.0) - a));  // (1 + a) / (1 - a)
  V big = V(0.5) * log_sum(u.hi, u.lo);
  return copysign(select(a < V(0.5), small, big), x);
}

}  // namespace
}  // namespace gyre
