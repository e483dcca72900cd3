#pragma once
// pow.
#include "gyre/simd/math_log.h"

namespace gyre {
namespace {

/// log(x) as a double word, for positive finite x: relative error about 2^-66.
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
/// The same in double, accurate to float: overflow and underflow happen in the conversion.
template <int W>
GYRE_INLINE Vec<float, W> pow_positive(Vec<float, W> x, Vec<float, W> y) {
  return in_double<W>(
      [](auto a, auto b) GYRE_LAMBDA_INLINE {
        using V = decltype(a);
        constexpr double kLn2 = 0.6931471805599453;
        auto [e, f] = log_parts_normal(a);
        V s = f / (f + V(2.0)), z = s * s;
        V log = fma(e, V(kLn2), fma(s * z, poly(z, kLogSF32), s + s));
        V p = hold(log * b, -200.0, 200.0);
        V n = round(p * V(1.4426950408889634));
        V r = fma(n, V(-kLn2), p);
        return fma(r * r, poly(r, kExpF32), V(1.0) + r) * power_of_two(n);
      },
      x, y);
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
