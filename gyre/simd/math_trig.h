#pragma once
// sin, cos, tan, asin, acos, atan, atan2.
#include "gyre/simd/coefficients.h"
#include "gyre/simd/double_word.h"
#include "gyre/simd/math_exp.h"

namespace gyre {
namespace {

/// x = n pi/2 + (hi + lo), |hi| <= pi/4; n is an integer, of which only n modulo 4 matters.
template <class V>
struct Quadrant {
  V n, hi, lo;
};

/// Above this n has more than 20 bits and its products below are no longer exact.
inline constexpr double kReduceMax = 1e6;

/// Cody-Waite with pi/2 in parts of 33 bits (fdlibm's constants), for |x| <= kReduceMax.
template <int W>
GYRE_INLINE Quadrant<Vec<double, W>> reduce_medium(Vec<double, W> x) {
  using V = Vec<double, W>;
  constexpr double kMagic = FloatTraits<double>::kMagic;
  V n = fma(x, V(6.36619772367581382433e-01), V(kMagic)) - kMagic;
  V r = fma(n, V(-1.57079632673412561417e+00), x);  // exact
  Two<V> a = two_sum(r, n * -6.07710050630396597660e-11);
  Two<V> b = two_sum(a.hi, n * -2.02226624871116645580e-21);
  V lo = (a.lo + b.lo) + n * -8.47842766036889956997e-32;
  Two<V> s = fast_two_sum(b.hi, lo);
  return {n, s.hi, s.lo};
}

/// 64 binary digits of 2/pi (after kTwoOverPi's zeros) from digit s on.
GYRE_INLINE uint64_t two_over_pi_bits(int s) {
  const int word = s >> 6, bit = s & 63;
  const uint64_t w = kTwoOverPi[word] << bit;
  return bit == 0 ? w : w | kTwoOverPi[word + 1] >> (64 - bit);
}

/// Payne and Hanek 1983: x 2/pi modulo 4 of one |x| > 2^19, as n + hi + lo.
GYRE_COLD void reduce_huge_lane(double x, double* n, double* hi, double* lo) {
  using Wide = unsigned __int128;
  const uint64_t b = __builtin_bit_cast(uint64_t, x) & ~(uint64_t(1) << 63);
  const uint64_t m = (b & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52;
  const int e = int(b >> 52) - 1075;  // |x| = m 2^e; places up to e - 2 give multiples of 4
  const int s = e - 2 + 64;
  const Wide p0 = Wide(m) * two_over_pi_bits(s + 128);
  const Wide p1 = Wide(m) * two_over_pi_bits(s + 64) + uint64_t(p0 >> 64);
  const uint64_t top = m * two_over_pi_bits(s) + uint64_t(p1 >> 64);
  Wide f = Wide(top) << 64 | uint64_t(p1);  // 2 bits of quadrant, 126 of fraction
  int q = int(top >> 62);
  f <<= 2;
  bool negative = (f >> 127) != 0;
  if (negative) {
    f = -f;
    ++q;
  }
  const uint64_t upper = uint64_t(f >> 64), lower = uint64_t(f);
  // The two words do not suffice where the fraction starts with 60 zeros: take 64 more places.
  const double h = double(upper);
  double l = double(int64_t(upper - uint64_t(h))) + double(lower) * 0x1p-64;
  const double rest = double(uint64_t(p0)) * 0x1p-126;
  l += negative ? -rest : rest;
  if (x < 0) {
    negative = !negative;
    q = -q;
  }
  const double unit = negative ? -0x1p-64 : 0x1p-64;
  *n = double(q & 3);
  *hi = h * unit;
  *lo = l * unit;
}

/// Not inlined: reached only by lanes beyond kReduceMax.
template <int W>
GYRE_COLD void reduce_huge(const double* x, double* n, double* hi, double* lo) {
  for (int i = 0; i < W; ++i)
    if (__builtin_fabs(x[i]) > kReduceMax && __builtin_fabs(x[i]) < __builtin_inf())
      reduce_huge_lane(x[i], n + i, hi + i, lo + i);
}

/// r with the lanes beyond kReduceMax recomputed; the others do not depend on them.
template <int W>
GYRE_INLINE Quadrant<Vec<double, W>> with_huge_lanes(Vec<double, W> x, Quadrant<Vec<double, W>> r) {
  using V = Vec<double, W>;
  auto huge = abs(x) > V(kReduceMax);
  if (any(huge)) {
    double in[W], n[W] = {}, hi[W] = {}, lo[W] = {};
    x.store(in);
    reduce_huge<W>(in, n, hi, lo);
    Two<V> p = Two<V>{V::load(hi), V::load(lo)} *
               Two<V>{V(1.57079632679489661923), V(6.12323399573676588614e-17)};
    V invalid = x - x;  // NaN at the infinities
    r.n = select(huge, V::load(n), r.n);
    r.hi = select(huge, p.hi + invalid, r.hi);
    r.lo = select(huge, p.lo, r.lo);
  }
  return r;
}

template <int W>
GYRE_INLINE Quadrant<Vec<double, W>> reduce(Vec<double, W> x) {
  return with_huge_lanes(x, reduce_medium(x));
}

/// The remainder of float arguments, exact enough in one double: 53 bits cancel at most 34.
template <int W>
GYRE_INLINE Quadrant<Vec<double, W>> reduce_float(Vec<double, W> x) {
  using V = Vec<double, W>;
  constexpr double kMagic = FloatTraits<double>::kMagic;
  V n = fma(x, V(6.36619772367581382433e-01), V(kMagic)) - kMagic;
  V r = fma(n, V(-1.57079632673412561417e+00), x);
  return {n, fma(n, V(-6.07710050650619224932e-11), r), V(0.0)};
}

template <int W>
GYRE_INLINE Quadrant<Vec<float, W>> reduce(Vec<float, W> x) {
  using V = Vec<float, W>;
  const bool huge = any(abs(x) > V(kReduceMax));
  if constexpr (W == 1) {
    auto wide = convert<double>(x);
    auto r = reduce_float(wide);
    if (huge) r = with_huge_lanes(wide, r);
    return {convert<float>(r.n), convert<float>(r.hi), V(0.0)};
  } else {
#if !GYRE_RAW_SCALAR
    using H = Vec<float, W / 2>;
    auto wide_a = convert<double>(H::from(raw_half<float, W, false>(x.v)));
    auto wide_b = convert<double>(H::from(raw_half<float, W, true>(x.v)));
    auto a = reduce_float(wide_a), b = reduce_float(wide_b);
    if (huge) {
      a = with_huge_lanes(wide_a, a);
      b = with_huge_lanes(wide_b, b);
    }
    V n = V::from(raw_join<float, W / 2>(convert<float>(a.n).v, convert<float>(b.n).v));
    V r = V::from(raw_join<float, W / 2>(convert<float>(a.hi).v, convert<float>(b.hi).v));
    return {n, r, V(0.0)};
#endif
  }
}

/// Sine and cosine of hi + lo within a quadrant's reach.
template <class V>
struct SinCos {
  V sin, cos;
};
template <class T, int W>
GYRE_INLINE SinCos<Vec<T, W>> sin_cos_reduced(Vec<T, W> hi, Vec<T, W> lo) {
  using V = Vec<T, W>;
  V z = hi * hi;
  V h = z * 0.5;
  V s_low = hi * z * poly(z, kSinF32, kSinF64);
  V c = V(1.0) - h;
  V c_low = ((V(1.0) - c) - h) + z * z * poly(z, kCosF32, kCosF64);
  if constexpr (sizeof(T) == 8) {
    s_low = s_low + lo * c;
    c_low = c_low - hi * lo;
  }
  return {hi + s_low, c + c_low};
}

/// sin(x + quarters pi/2) for x >= 0.
template <int quarters, class T, int W>
GYRE_INLINE Vec<T, W> sin_shifted(Vec<T, W> x) {
  using V = Vec<T, W>;
  auto r = reduce(x);
  auto y = sin_cos_reduced(r.hi, r.lo);
  auto k = bits(r.n + V(FloatTraits<T>::kMagic + quarters));
  typename V::M odd{raw_mask<typename V::RI>((k & 1) != 0)};
  auto sign = (k & 2) << (8 * int(sizeof(T)) - 2);
  return V::from_bits(bits(select(odd, y.cos, y.sin)) ^ sign);
}

template <class T, int W>
GYRE_INLINE Vec<T, W> sin(Vec<T, W> x) {
  using V = Vec<T, W>;
  V y = sin_shifted<0>(abs(x));  // of |x|, so that -0 keeps its sign
  return V::from_bits(bits(y) ^ (bits(x) & bits(V(-0.0))));
}

template <class T, int W>
GYRE_INLINE Vec<T, W> cos(Vec<T, W> x) {
  return sin_shifted<1>(abs(x));
}

template <class T, int W>
GYRE_INLINE Vec<T, W> tan(Vec<T, W> x) {
  using V = Vec<T, W>;
  auto r = reduce(abs(x));
  auto y = sin_cos_reduced(r.hi, r.lo);
  auto k = bits(r.n + V(FloatTraits<T>::kMagic));
  typename V::M odd{raw_mask<typename V::RI>((k & 1) != 0)};
  V t = select(odd, -y.cos, y.sin) / select(odd, y.sin, y.cos);
  return V::from_bits(bits(t) ^ (bits(x) & bits(V(-0.0))));
}

/// Constants of pi/2 as double words.
template <class T>
inline constexpr double kHalfPiHi =
    sizeof(T) == 4 ? 1.57079637050628662109375 : 1.57079632679489661923;
template <class T>
inline constexpr double kHalfPiLo =
    sizeof(T) == 4 ? -4.37113900018624283e-8 : 6.12323399573676588614e-17;

/// asin(s) = s + tail. Where |x| > 1/2, s = sqrt((1 - |x|) / 2), and asin|x| = pi/2 - 2 asin(s).
template <class T, int W>
struct AsinParts {
  Mask<T, W> small;
  Vec<T, W> s, tail;
};
template <class T, int W>
GYRE_INLINE AsinParts<T, W> asin_parts(Vec<T, W> a) {
  using V = Vec<T, W>;
  auto small = a < V(0.5);
  V z = select(small, a * a, V(0.5) * (V(1.0) - a));
  V root = sqrt(z);
  Two<V> p = two_prod(root, root);
  V error = ((z - p.hi) - p.lo) / (root + root);  // of the rounded root
  V s = select(small, a, root);
  V tail = s * z * poly(z, kAsinF32, kAsinF64);
  auto corrects = (!small) & (root > V(0.0));
  return {small, s, tail + select(corrects, error, V(0.0))};
}

template <class T, int W>
GYRE_INLINE Vec<T, W> asin(Vec<T, W> x) {
  using V = Vec<T, W>;
  auto p = asin_parts(abs(x));
  Two<V> d = fast_two_sum(V(kHalfPiHi<T>), -(p.s + p.s));
  V big = d.hi + (d.lo + (V(kHalfPiLo<T>) - (p.tail + p.tail)));
  return copysign(select(p.small, p.s + p.tail, big), x);
}

template <class T, int W>
GYRE_INLINE Vec<T, W> acos(Vec<T, W> x) {
  using V = Vec<T, W>;
  auto p = asin_parts(abs(x));
  // pi/2 - asin(x); 2 asin(s) for x > 1/2; pi - 2 asin(s) for x < -1/2.
  auto negative = x < V(0.0);
  V s = select(p.small & negative, -p.s, p.s), tail = select(p.small & negative, -p.tail, p.tail);
  Two<V> d = fast_two_sum(V(kHalfPiHi<T>), -s);
  V from_half = d.hi + (d.lo + (V(kHalfPiLo<T>) - tail));
  V direct = s + tail;
  V big = select(negative, from_half, direct);
  return select(p.small, from_half, big + big);
}

template <class T, int W>
GYRE_INLINE Vec<T, W> atan(Vec<T, W> x) {
  using V = Vec<T, W>;
  V a = abs(x);
  auto low = a<V(0.5), high = a> V(2.0);
  // atan(a) = base + atan(t): base 0, pi/4 or pi/2.
  V t = select(low, a, select(high, V(-1.0), a - V(1.0))) /
        select(low, V(1.0), select(high, a, a + V(1.0)));
  V base = select(low, V(0.0), select(high, V(kHalfPiHi<T>), V(kHalfPiHi<T> / 2)));
  V base_lo = select(low, V(0.0), select(high, V(kHalfPiLo<T>), V(kHalfPiLo<T> / 2)));
  V z = t * t;
  V y = base + (t + fma(t * z, poly(z, kAtanF32, kAtanF64), base_lo));
  return copysign(y, x);
}

/// The angle of the point (x, y), in [-pi, pi]; every special case of C's annex F.
template <class T, int W>
GYRE_INLINE Vec<T, W> atan2(Vec<T, W> y, Vec<T, W> x) {
  using V = Vec<T, W>;
  V a = abs(x), b = abs(y);
  auto steep = b > a, left = copysign(V(1.0), x) < V(0.0);
  V high = select(steep, b, a), low = select(steep, a, b);
  // equal ones may both be infinite or zero
  V t = select(low == high, select(high == V(0.0), V(0.0), V(1.0)), low / high);
  V r = atan(t);
  V base = select(steep, V(kHalfPiHi<T>), select(left, V(2 * kHalfPiHi<T>), V(0.0)));
  V base_lo = select(steep, V(kHalfPiLo<T>), select(left, V(2 * kHalfPiLo<T>), V(0.0)));
  Two<V> d = two_sum(base, select(steep ^ left, -r, r));
  r = d.hi + (d.lo + base_lo);
  return copysign(select((x != x) | (y != y), V(__builtin_nan("")), r), y);
}

}  // namespace
}  // namespace gyre
