#pragma once
// The logarithm of the gamma function and its derivatives, and the Hurwitz zeta function.
#include "gyre/simd/math_pow.h"
#include "gyre/simd/math_trig.h"

namespace gyre {
namespace {

inline constexpr double kPi = 3.141592653589793;
/// B_2k / (2k (2k - 1)), highest k first: log(gamma(x)) = (x - 1/2) log(x) - x + log(2 pi) / 2 +
/// the sum of these over x^(2k - 1) (Stirling).
GYRE_TABLE double kStirling[] = {-3617.0 / 122400, 1.0 / 156,  -691.0 / 360360, 1.0 / 1188,
                                 -1.0 / 1680,      1.0 / 1260, -1.0 / 360,      1.0 / 12};
/// B_2k / 2k, highest k first: its derivative is log(x) - 1 / 2x - the sum of these over x^2k.
GYRE_TABLE double kDigammaTail[] = {-3617.0 / 8160, 1.0 / 12,  -691.0 / 32760, 1.0 / 132,
                                    -1.0 / 240,     1.0 / 252, -1.0 / 120,     1.0 / 12};
/// B_2k / (2k)!, k = 1, 2, ...: of Euler and Maclaurin's sum.
GYRE_TABLE double kEulerMaclaurin[] = {1.0 / 12,
                                       -1.0 / 720,
                                       1.0 / 30240,
                                       -1.0 / 1209600,
                                       1.0 / 47900160,
                                       -691.0 / 1307674368000,
                                       1.0 / 74724249600,
                                       -3617.0 / 10670622842880000,
                                       43867.0 / 5109094217170944000};

/// log(gamma(y)), y > 0. From 8.5 on Stirling's series; below, the recurrence to [1.5, 2.5], whose
/// terms have one sign there, so that nothing cancels, and near the zeros 1 and 2 nothing but log1p
/// is added.
template <int W>
GYRE_INLINE Vec<double, W> lgamma_positive(Vec<double, W> y) {
  using V = Vec<double, W>;
  const auto tiny = y < V(0.5), first = y < V(1.5), far = y >= V(8.5);
  const V whole = select(tiny, V(0.0), select(first, V(1.0), round(y)));
  const V rest = select(far, V(0.0), y - whole);
  V product(1.0);
  for (int i = 1; i <= 6; ++i) {
    product = product * select(V(i + 2.0) <= whole, y - V(double(i)), V(1.0));
  }
  product = select(tiny, y * (y + V(1.0)), product);
  V near = rest * poly(rest, kLogGammaF64);
  near = near + select(tiny, -log(product), select(first, -log1p(rest), log(product)));
  const V log_y = log(select(far, y, V(10.0))), inverse = V(1.0) / y;
  const V series = poly(inverse * inverse, kStirling) * inverse + V(0.9189385332046728);
  const V stirling = fma(y, log_y - V(1.0), fma(V(-0.5), log_y, series));
  return select(far, select(y == V(__builtin_inf()), y, stirling), near);
}

/// log(|gamma(x)|), accurate to a few units in the last place for x > 0 and, relative to 1 + |x|,
/// below 0, where it has zeros between its poles.
template <int W>
GYRE_INLINE Vec<double, W> lgamma(Vec<double, W> x) {
  using V = Vec<double, W>;
  const V y = abs(x), positive = lgamma_positive(y);
  const auto reflected = x < V(-1e-20);  // closer to 0 gamma(x) is 1 / x
  const V r = select(reflected, y - round(y), V(0.5));
  const V sine = abs(sin(V(kPi) * r));
  const V mirror = log(V(kPi) / (select(reflected, y, V(1.0)) * sine)) - positive;
  const V pole(__builtin_inf());
  return select(reflected, select((r == V(0.0)) | (y == pole), pole, mirror), positive);
}
template <int W>
GYRE_INLINE Vec<float, W> lgamma(Vec<float, W> x) {
  return in_double<W>([](auto a) GYRE_LAMBDA_INLINE { return lgamma(a); }, x);
}

/// The derivative of lgamma: NaN at negative integers, minus infinity at 0.
template <int W>
GYRE_INLINE Vec<double, W> digamma(Vec<double, W> x) {
  using V = Vec<double, W>;
  const auto reflected = x < V(0.0);
  const V y = select(reflected, V(1.0) - x, x);
  // The sum of 1 / (y + i), i < 8, as a quotient moves y to where the series converges.
  const auto near = y < V(8.0);
  const V start = select(near, y, V(1.0));
  V upper(1.0), lower = start;
  for (int i = 1; i < 8; ++i) {
    const V next = start + V(double(i));
    upper = fma(upper, next, lower);
    lower = lower * next;
  }
  const V z = select(near, y + V(8.0), y), inverse = V(1.0) / z, square = inverse * inverse;
  const V series = log(z) - fma(square, poly(square, kDigammaTail), V(0.5) * inverse);
  V value = select(near, series - upper / lower, series);
  // Near its zero, in two words, as their distance times a polynomial.
  const V offset = (y - V(1.4616321449683622)) - V(9.549995429965697e-17);
  value = select((y >= V(1.0)) & (y <= V(2.0)), offset * poly(y - V(1.5), kDigammaF64), value);
  const V r = select(reflected, x - round(x), V(0.25));
  const V mirror = select(r == V(0.0), V(__builtin_nan("")), value - V(kPi) / tan(V(kPi) * r));
  return select(reflected, mirror, value);
}
template <int W>
GYRE_INLINE Vec<float, W> digamma(Vec<float, W> x) {
  return in_double<W>([](auto a) GYRE_LAMBDA_INLINE { return digamma(a); }, x);
}

/// The sum of (q + k)^-s over k = 0, 1, ..., s > 1, q >= 0: its first terms, and Euler and
/// Maclaurin's formula for the others.
template <int W>
GYRE_INLINE Vec<double, W> zeta_positive(Vec<double, W> s, Vec<double, W> q) {
  using V = Vec<double, W>;
  constexpr int kTerms = 10;
  V sum(0.0);
  for (int k = kTerms - 1; k >= 0; --k) sum = sum + pow(q + V(double(k)), -s);
  const V a = q + V(double(kTerms)), power = pow(a, -s), inverse = V(1.0) / a;
  V rest = power * (a / (s - V(1.0)) + V(0.5)), factor = power * s * inverse;
  int step = 1;
  for (double c : kEulerMaclaurin) {
    rest = fma(V(c), factor, rest);
    factor = factor * (s + V(double(step))) * (s + V(double(step + 1))) * (inverse * inverse);
    step += 2;
  }
  return select(q == V(__builtin_inf()), V(0.0), sum + rest);
}

/// The Hurwitz zeta function: infinite at s = 1 and at q = 0, -1, ...; NaN for s < 1 and, below
/// q = 0, for s that is not an integer. There the terms before the first positive one are summed
/// as those over all integers, which have period 1 in q, without those of the other sign.
template <int W>
GYRE_INLINE Vec<double, W> zeta(Vec<double, W> s, Vec<double, W> q) {
  using V = Vec<double, W>;
  const auto negative = q < V(0.0);
  V value = zeta_positive(s, select(negative, V(1.0) - q, q));
  if (any(negative)) {
    const V part = q - floor(q), half = s * V(0.5);
    const V sign = select(round(half) == half, V(1.0), V(-1.0));
    const V mirror = zeta_positive(s, part) + sign * (zeta_positive(s, V(1.0) - part) - value);
    const V other = select(round(s) == s, mirror, V(__builtin_nan("")));
    value = select(negative, select(part == V(0.0), V(__builtin_inf()), other), value);
  }
  return select(s < V(1.0), V(__builtin_nan("")), value);
}
template <int W>
GYRE_INLINE Vec<float, W> zeta(Vec<float, W> s, Vec<float, W> q) {
  return in_double<W>([](auto a, auto b) GYRE_LAMBDA_INLINE { return zeta(a, b); }, s, q);
}

}  // namespace
}  // namespace gyre
