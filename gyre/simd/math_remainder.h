#pragma once
// fmod, and integer division.
#include "gyre/simd/double_word.h"

namespace gyre {
namespace {

/// fmod of one lane whose quotient has too many digits for the vector code.
template <class T>
GYRE_COLD T fmod_huge_lane(T x, T y) {
  using U = typename IntOf<T>::unsigned_type;
  constexpr int kMantissa = FloatTraits<T>::kMantissa;
  constexpr U kSign = U(1) << (8 * sizeof(T) - 1), kOne = U(1) << kMantissa;
  const U sign = __builtin_bit_cast(U, x) & kSign;
  // |x| = a 2^ea and |y| = b 2^eb, a and b in [kOne, 2 kOne)
  U a = __builtin_bit_cast(U, x) & ~kSign, b = __builtin_bit_cast(U, y) & ~kSign;
  int ea = int(a >> kMantissa), eb = int(b >> kMantissa);
  a = ea ? (a & (kOne - 1)) | kOne : a;
  b = eb ? (b & (kOne - 1)) | kOne : b;
  for (ea += ea == 0; a < kOne; --ea) a <<= 1;
  for (eb += eb == 0; b < kOne; --eb) b <<= 1;
  // one binary digit of the quotient per iteration
  for (; ea > eb; --ea) {
    if (a >= b) a -= b;
    a <<= 1;
  }
  if (a >= b) a -= b;
  if (a == 0) return __builtin_bit_cast(T, sign);
  for (; a < kOne; --ea) a <<= 1;
  a = ea > 0 ? (a - kOne) | U(ea) << kMantissa : a >> (1 - ea);
  return __builtin_bit_cast(T, U(a | sign));
}

/// Not inlined: reached only by lanes whose quotient exceeds the mantissa.
template <class T, int W>
GYRE_COLD void fmod_huge(const T* x, const T* y, T* r) {
  for (int i = 0; i < W; ++i) r[i] = fmod_huge_lane(x[i], y[i]);
}

/// x - n y with n = x / y rounded towards zero, exact; has the sign of x. NaN for y = 0 and
/// infinite x.
template <class T, int W>
  requires kIsFloat<T>
GYRE_INLINE Vec<T, W> fmod(Vec<T, W> x, Vec<T, W> y) {
  using V = Vec<T, W>;
  const V inf(__builtin_inf());
  const V a = abs(x), b = abs(y);
  // A quotient rounded across an integer leaves a remainder one b too large or too small.
  V n = floor(a / b);
  V r = fma_cancelling(-n, b, a);
  r = select(r < V(0.0), r + b, r);
  r = select(r >= b, r - b, r);
  r = select(a < b, a, r);  // infinite b too
  const V most(sizeof(T) == 4 ? 8388608.0 : 4503599627370496.0);
  // Products outside that range have lost bits, or overflowed in the split.
  const V least(sizeof(T) == 4 ? 1e-30 : 1e-290), greatest(sizeof(T) == 4 ? 1e30 : 1e290);
  auto regular = (a < inf) & (b > V(0.0)) & (b < inf);
  auto huge = regular & (a >= b) & ((n > most) | (b < least) | (b > greatest));
  if (any(huge)) {
    T ax[W], bx[W], rx[W];
    select(huge, a, V(1.0)).store(ax);
    select(huge, b, V(1.0)).store(bx);
    fmod_huge<T, W>(ax, bx, rx);
    r = select(huge, V::load(rx), r);
  }
  r = select((b == V(0.0)) | (a >= inf) | (x != x) | (y != y), V(__builtin_nan("")), r);
  return copysign(r, x);
}

/// The same for integers, without a quotient that overflows; 0 for y = 0.
template <class T, int W>
  requires(!kIsFloat<T>)
GYRE_INLINE Vec<T, W> fmod(Vec<T, W> x, Vec<T, W> y) {
  Vec<T, W> r;
  for (int i = 0; i < W; ++i) {
    const T b = y[i];
    const bool overflows = !kIsUnsigned<T> && b == T(-1);
    r.set(i, b == 0 || overflows ? T(0) : T(x[i] % b));
  }
  return r;
}

/// Integer floor division; 0 where y is 0.
template <class T, int W>
  requires(!kIsFloat<T>)
GYRE_INLINE Vec<T, W> floor_divide(Vec<T, W> x, Vec<T, W> y) {
  Vec<T, W> q;
  for (int i = 0; i < W; ++i) {
    using U = typename IntOf<T>::unsigned_type;
    const T a = x[i], b = y[i];
    if constexpr (kIsUnsigned<T>) {
      q.set(i, b == 0 ? T(0) : a / b);
    } else if (b == 0 || b == -1) {
      q.set(i, b == 0 ? T(0) : T(U(0) - U(a)));
    } else {
      const T t = a / b;
      q.set(i, t - T(a % b != 0 && (a < 0) != (b < 0)));
    }
  }
  return q;
}
/// floor(x / y) of the exact quotient; a zero has the sign of x / y.
template <class T, int W>
  requires kIsFloat<T>
GYRE_INLINE Vec<T, W> floor_divide(Vec<T, W> x, Vec<T, W> y) {
  using V = Vec<T, W>;
  V r = fmod(x, y);
  V q = round((x - r) / y);
  auto below = (r != V(0.0)) & ((r < V(0.0)) ^ (y < V(0.0)));
  q = select(below, q - V(1.0), q);
  q = select(q == V(0.0), copysign(V(0.0), x / y), q);
  return select(y == V(0.0), x / y, q);
}

}  // namespace
}  // namespace gyre
