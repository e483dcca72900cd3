#pragma once
#include "gyre/base/philox_rounds.h"
#include "gyre/simd/math_log.h"
#include "gyre/simd/pack.h"

// Random numbers as functions of Philox words, over vectors of any width. All instruction sets and
// devices give the same bits: arithmetic is plain, without fma, so every operation rounds once.

namespace gyre {
namespace {

/// Vectors of 64 bits a lane: integers of two words, the first in the lower half, and doubles.
template <int W = kWidth<double>>
struct RandomBodies {
  using Lane = RawOf<uint64_t, W>;
  using V = Vec<double, W>;

  /// The four words of each block of counters, in the lower halves of c.
  static GYRE_INLINE void philox(uint64_t seed, Lane block, Lane (&c)[4]) {
    c[0] = block;
    c[1] = block >> 32;
    c[2] = c[3] = Lane{};
    philox_rounds(c, seed, [](Lane a, uint32_t b) GYRE_LAMBDA_INLINE {
      return raw_multiply_halves<W>(a, Lane{} + b);
    });
  }

  /// Exact for y below 2^53; g++ 12 converts 64-bit lanes one by one.
  static GYRE_INLINE V to_double(Lane y) {
    const V high(0x1p84), low(0x1p52);
    return (V::from(bit_cast<typename V::R>((y >> 32) | bit_cast<Lane>(high.v))) - high) +
           (V::from(bit_cast<typename V::R>((y & 0xffffffff) | bit_cast<Lane>(low.v))) - low);
  }

  /// Uniform in [0, 1) and in (0, 1]: multiples of 2^-53.
  static GYRE_INLINE V uniform(Lane pair) { return to_double(pair >> 11) * V(0x1p-53); }
  static GYRE_INLINE V positive(Lane pair) { return (to_double(pair >> 11) + V(1.0)) * V(0x1p-53); }
  /// Uniform in (0, 1], of one word in the lower half: multiples of 2^-32.
  static GYRE_INLINE V positive_of_word(Lane word) {
    return (to_double(word & 0xffffffff) + V(1.0)) * V(0x1p-32);
  }

  /// Uniform integers low, low + 1, ...: the upper halves of the products of pairs and range
  /// (Lemire 2019, without rejection).
  static GYRE_INLINE Lane integer(Lane pair, uint64_t low, uint64_t range) {
    const Lane other = Lane{} + range, a = pair >> 32, b = other >> 32;
    const Lane mid = raw_multiply_halves<W>(a, other) + (raw_multiply_halves<W>(pair, other) >> 32);
    const Lane mid2 = raw_multiply_halves<W>(pair, b) + (mid & 0xffffffff);
    return raw_multiply_halves<W>(a, b) + (mid >> 32) + (mid2 >> 32) + low;
  }

  /// Horner's scheme as simd's poly(), but rounding each product.
  template <int I = 1, int N>
  static GYRE_INLINE V plain_poly(V x, const double (&c)[N], V p) {
    if constexpr (I < N)
      return plain_poly<I + 1>(x, c, p * x + V(c[I]));
    else
      return p;
  }
  template <int N>
  static GYRE_INLINE V plain_poly(V x, const double (&c)[N]) {
    return plain_poly(x, c, V(c[0]));
  }

  /// log u for u in (0, 1]; coefficients of FreeBSD's msun (e_log.c), highest power first.
  static GYRE_INLINE V plain_log(V u) {
    constexpr double kLog[] = {1.479819860511658591e-01, 1.531383769920937332e-01,
                               1.818357216161805012e-01, 2.222219843214978396e-01,
                               2.857142874366239149e-01, 3.999999999940941908e-01,
                               6.666666666666735130e-01};
    auto parts = log_parts(u);
    V f = parts.f, s = f / (f + V(2.0)), z = s * s, half = V(0.5) * f * f;
    V r = z * plain_poly(z, kLog);
    return parts.e * V(6.93147180369123816490e-01) -
           ((half - (s * (half + r) + parts.e * V(1.90821492927058770002e-10))) - f);
  }

  /// Two normals (Box and Muller 1958): the radius from u in (0, 1], t turns; coefficients of msun
  /// (k_sin.c, k_cos.c).
  static GYRE_INLINE Pack<V, 2> normals(V u, V t) {
    constexpr double kSin[] = {1.58969099521155010221e-10, -2.50507602534068634195e-08,
                               2.75573137070700676789e-06, -1.98412698298579493134e-04,
                               8.33333333332248946124e-03, -1.66666666666666324348e-01};
    constexpr double kCos[] = {-1.13596475577881948265e-11, 2.08757232129817482790e-09,
                               -2.75573143513906633035e-07, 2.48015872894767294178e-05,
                               -1.38888888888741095749e-03, 4.16666666666666019037e-02};
    V radius = sqrt(V(-2.0) * plain_log(u));
    // t = (q + r) / 4 turns with |r| <= 1/2, exact
    V turns = t * V(4.0), q = round(turns);
    V angle = (turns - q) * V(1.5707963267948966), z = angle * angle;
    V sine = angle + angle * z * plain_poly(z, kSin);
    V cosine = V(1.0) - (V(0.5) * z - z * z * plain_poly(z, kCos));
    auto odd = (q == V(1.0)) | (q == V(3.0));
    V x = select(odd, sine, cosine), y = select(odd, cosine, sine);
    x = select((q == V(1.0)) | (q == V(2.0)), -x, x);
    y = select((q == V(2.0)) | (q == V(3.0)), -y, y);
    return pack(radius * x, radius * y);
  }
};

/// Uniform in [0, 1): multiples of 2^-bits, bits <= 24.
template <int W>
GYRE_INLINE Vec<float, W> uniform(Vec<int32_t, W> words, int bits) {
  using I = Vec<int32_t, W>;
  const I number = (words >> (32 - bits)) & I::of((1 << bits) - 1);
  return convert<float>(number) * Vec<float, W>(1.0 / (1 << bits));
}

/// Where words, as unsigned numbers, are below a threshold; for values of type T.
template <class T, int W>
GYRE_INLINE Mask<T, W> below(Vec<int32_t, W> words, uint32_t threshold) {
  using I = Vec<typename IntOf<T>::type, W>;
  constexpr uint32_t kTop = 0x80000000;  // compares as signed numbers
  return {(convert<typename I::T>(words ^ Vec<int32_t, W>::of(int32_t(kTop))) <
           I::of(int32_t(threshold ^ kTop)))
              .v};
}

/// Bernoulli: 1 where words are below a threshold of at most 2^32, else 0.
template <int W>
GYRE_INLINE Vec<int32_t, W> bernoulli(Vec<int32_t, W> words, uint64_t threshold) {
  using I = Vec<int32_t, W>;
  return select(below<int32_t>(words, uint32_t(threshold)), I::of(1),
                I::of(int32_t(threshold >> 32)));
}

/// Dropout: 0 where words are below the threshold, else x times scale.
template <class T, int W>
GYRE_INLINE Vec<T, W> drop(Vec<T, W> x, Vec<int32_t, W> words, uint32_t threshold, T scale) {
  return select(below<T>(words, threshold), Vec<T, W>(0.0), x * Vec<T, W>::of(scale));
}

}  // namespace
}  // namespace gyre
