#pragma once
// exp, exp2, expm1, sinh, cosh, tanh: all from 2^n * (1 + r + r^2 P(r)).
#include "gyre/simd/coefficients.h"
#include "gyre/simd/double_word.h"

namespace gyre {
namespace {

/// Per-precision constants of the exponential and the logarithm.
/// ln2 = kLn2Hi + kLn2Lo; n * kLn2Hi is exact for every exponent n (f64: fdlibm's split).
template <class T>
struct FloatTraits;
template <>
struct FloatTraits<float> {
  static constexpr int kMantissa = 23;
  static constexpr int32_t kBias = 127;
  static constexpr double kLn2Hi = 0.693359375, kLn2Lo = -2.12194440054690583e-4;
  static constexpr double kLog2EHi = 1.4426950216293335, kLog2ELo = 1.925962991126617e-08;
  static constexpr double kMagic = 12582912.0;  // 1.5 * 2^23: low bits of x + kMagic are round(x)
  static constexpr double kExpMax = 90.0, kExpMin = -105.0;  // beyond: inf, 0
  static constexpr double kExp2Max = 130.0, kExp2Min = -151.0;
};
template <>
struct FloatTraits<double> {
  static constexpr int kMantissa = 52;
  static constexpr int64_t kBias = 1023;
  static constexpr double kLn2Hi = 6.93147180369123816490e-01, kLn2Lo = 1.90821492927058770002e-10;
  static constexpr double kLog2EHi = 1.4426950408889634, kLog2ELo = 2.0355273740931033e-17;
  static constexpr double kMagic = 6755399441055744.0;
  static constexpr double kExpMax = 711.0, kExpMin = -746.0;
  static constexpr double kExp2Max = 1026.0, kExp2Min = -1076.0;
};

/// Products with 2^n, integer n up to twice the exponent range: rounded once for factors near 1.
template <class T, int W>
class Scale {
  using V = Vec<T, W>;

 public:
#if defined(__AVX512F__) && !GYRE_RAW_SCALAR
  static constexpr bool kOneStep = sizeof(T) * W == 64;
#else
  static constexpr bool kOneStep = false;
#endif
  GYRE_INLINE explicit Scale(V n) {
    if constexpr (kOneStep) {
      a_ = n;
    } else {  // 2^n as two factors of half the exponent
      auto whole = bits(n + V(FloatTraits<T>::kMagic)), half = whole >> 1;
      a_ = V::from_bits((half << FloatTraits<T>::kMantissa) + bits(V(1.0)));
      b_ = V::from_bits(((whole - half) << FloatTraits<T>::kMantissa) + bits(V(1.0)));
    }
  }
  GYRE_INLINE V operator()(V p) const {
#if defined(__AVX512F__) && !GYRE_RAW_SCALAR
    if constexpr (kOneStep) return V::from(raw_scale<T, W>(p.v, a_.v));
#endif
    return p * a_ * b_;
  }

 private:
  V a_, b_;
};

/// p * 2^n as by Scale.
template <class T, int W>
GYRE_INLINE Vec<T, W> scale(Vec<T, W> p, Vec<T, W> n) {
  return Scale<T, W>(n)(p);
}

/// 2^n for integer n in the range of normal numbers.
template <class T, int W>
GYRE_INLINE Vec<T, W> power_of_two(Vec<T, W> n) {
  using V = Vec<T, W>;
  using F = FloatTraits<T>;
  if constexpr (Scale<T, W>::kOneStep) return scale(V(1.0), n);
  return V::from_bits((bits(n + V(F::kMagic)) << F::kMantissa) + bits(V(1.0)));
}

/// x clamped to at most hi or at least lo; NaN stays.
template <class T, int W>
GYRE_INLINE Vec<T, W> hold_below(Vec<T, W> x, double hi) {
  return Vec<T, W>::from(raw_min<T, W>(Vec<T, W>(hi).v, x.v));
}
template <class T, int W>
GYRE_INLINE Vec<T, W> hold_above(Vec<T, W> x, double lo) {
  return Vec<T, W>::from(raw_max<T, W>(Vec<T, W>(lo).v, x.v));
}
template <class V>
GYRE_INLINE V hold(V x, double lo, double hi) {
  return hold_above(hold_below(x, hi), lo);
}

/// (1 + q) 2^n = e^(x + lo) with |q| < 0.42.
template <class V>
struct ExpParts {
  V q, n;
};

/// For |x| within kExpMin .. kExpMax and |lo| well below ulp-sized multiples of x.
template <class T, int W>
GYRE_INLINE ExpParts<Vec<T, W>> exp_parts(Vec<T, W> x, Vec<T, W> lo) {
  using V = Vec<T, W>;
  using F = FloatTraits<T>;
  V n = fma(x, V(1.4426950408889634), V(F::kMagic)) - F::kMagic;
  V a = fma(n, V(-F::kLn2Hi), x);  // exact
  V b = fma(n, V(-F::kLn2Lo), lo);
  V r = a + b;
  V r_lo = b - (r - a);
  return {r + fma(r * r, poly(r, kExpF32, kExpF64), r_lo), n};
}

/// e^(x + lo): for arguments of more than one lane's precision.
template <class T, int W>
GYRE_INLINE Vec<T, W> exp(Vec<T, W> x, Vec<T, W> lo) {
  using V = Vec<T, W>;
  using F = FloatTraits<T>;
  auto e = exp_parts(hold(x, F::kExpMin, F::kExpMax), lo);
  return scale(V(1.0) + e.q, e.n);
}

/// e^x for x within kExpMin .. kExpMax, or where the result is normal if `normal`.
template <bool normal, class T, int W>
GYRE_INLINE Vec<T, W> exp_within(Vec<T, W> x) {
  using V = Vec<T, W>;
  using F = FloatTraits<T>;
  V n = fma(x, V(1.4426950408889634), V(F::kMagic)) - F::kMagic;
  V r = fma(n, V(-F::kLn2Lo), fma(n, V(-F::kLn2Hi), x));
  V p = fma(r * r, poly(r, kExpF32, kExpF64), r) + V(1.0);
  if constexpr (normal && !Scale<T, W>::kOneStep) return p * power_of_two(n);
  return scale(p, n);
}

template <class T, int W>
GYRE_INLINE Vec<T, W> exp(Vec<T, W> x) {
  return exp_within<false>(hold(x, FloatTraits<T>::kExpMin, FloatTraits<T>::kExpMax));
}

/// e^-|x|.
template <class T, int W>
GYRE_INLINE Vec<T, W> exp_minus_abs(Vec<T, W> x) {
  return exp_within<false>(-hold_below(abs(x), -FloatTraits<T>::kExpMin));
}

/// 2^r - 1 for |r| <= 1/2.
template <class T, int W>
GYRE_INLINE Vec<T, W> exp2m1_near_zero(Vec<T, W> r) {
  return fma(r * r, poly(r, kExp2F32, kExp2F64), r * Vec<T, W>(0.6931471805599453));
}

template <class T, int W>
GYRE_INLINE Vec<T, W> exp2(Vec<T, W> x) {
  using V = Vec<T, W>;
  using F = FloatTraits<T>;
  x = hold(x, F::kExp2Min, F::kExp2Max);
  V n = (x + F::kMagic) - F::kMagic;
  V r = x - n;  // exact
  return scale(exp2m1_near_zero(r) + V(1.0), n);
}

template <class T, int W>
GYRE_INLINE Vec<T, W> expm1(Vec<T, W> x) {
  using V = Vec<T, W>;
  auto e = exp_parts(hold(x, -40.0, sizeof(T) == 4 ? 88.8 : 709.8), V(0.0));
  V h = power_of_two(e.n - V(1.0));  // half of 2^n, which would overflow
  V y = fma(h, e.q, h - V(0.5));
  y = y + y;
  return select(abs(x) < V(sizeof(T) == 4 ? 1e-9 : 1e-17), x, y);
}

/// e^x / 2 as a double word without premature overflow, for x >= 0.
template <class T, int W>
GYRE_INLINE Two<Vec<T, W>> half_exp(Vec<T, W> x) {
  using V = Vec<T, W>;
  auto e = exp_parts(hold_below(x, FloatTraits<T>::kExpMax), V(0.0));
  Two<V> p = fast_two_sum(V(1.0), e.q);
  V n = e.n - V(1.0);
  return {scale(p.hi, n), scale(p.lo, n)};
}

template <class T, int W>
GYRE_INLINE Vec<T, W> sinh(Vec<T, W> x) {
  using V = Vec<T, W>;
  V a = abs(x), z = x * x;
  V small = fma(x * z, poly(z, kSinhF32, kSinhF64), x);
  Two<V> e = half_exp(a);
  V big = copysign(e.hi + (e.lo - V(0.25) / e.hi), x);
  return select(a < V(1.0), small, big);
}

template <class T, int W>
GYRE_INLINE Vec<T, W> cosh(Vec<T, W> x) {
  using V = Vec<T, W>;
  Two<V> e = half_exp(abs(x));
  return e.hi + (e.lo + V(0.25) / e.hi);
}

template <class T, int W>
GYRE_INLINE Vec<T, W> tanh(Vec<T, W> x) {
  using V = Vec<T, W>;
  V a = abs(x), z = a * a;
  V small = fma(a * z, poly(z, kTanhF32, kTanhF64), a);
  V h = hold_below(a, sizeof(T) == 4 ? 10.0 : 20.0);
  V big = V(1.0) - V(2.0) / (exp_within<true>(h + h) + V(1.0));
  return copysign(select(a < V(0.625), small, big), x);
}

}  // namespace
}  // namespace gyre
