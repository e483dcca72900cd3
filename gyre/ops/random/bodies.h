#pragma once
#include "gyre/base/philox_rounds.h"
#include "gyre/ops/random/random_tiles.h"
#include "gyre/simd/math_log.h"
#include "gyre/simd/pack.h"

// Random numbers as functions of words of Philox, over vectors of any width. All instruction sets
// and devices give the same bits: arithmetic is plain, without fma, so every operation rounds once.

namespace gyre {
namespace {

template <int W>
using Lanes = RawOf<uint64_t, W>;
constexpr int64_t kLow = 0xffffffff;

/// The four words of each block, in the lower halves of c.
template <int W>
GYRE_INLINE void philox_blocks(uint64_t seed, Lanes<W> block, Lanes<W> (&c)[4]) {
  c[0] = block;
  c[1] = block >> 32;
  c[2] = c[3] = Lanes<W>{};
  philox_rounds(c, seed, [](Lanes<W> a, uint32_t b) GYRE_LAMBDA_INLINE {
    return raw_multiply_halves<W>(a, Lanes<W>{} + b);
  });
}

/// The upper 53 bits of two words; exact, as g++ 12 converts 64-bit lanes one by one.
template <int W>
GYRE_INLINE Vec<double, W> upper_bits(Vec<int64_t, W> words) {
  using V = Vec<double, W>;
  const V high(0x1p84), low(0x1p52);
  const auto y = bit_cast<Lanes<W>>(words.v) >> 11;
  return (V::from(bit_cast<typename V::R>((y >> 32) | bit_cast<Lanes<W>>(high.v))) - high) +
         (V::from(bit_cast<typename V::R>((y & kLow) | bit_cast<Lanes<W>>(low.v))) - low);
}

/// Where words, as unsigned numbers, are below a threshold; for values of type T.
template <class T, int W>
GYRE_INLINE Mask<T, W> below(Vec<int32_t, W> words, uint64_t threshold) {
  using I = Vec<typename IntOf<T>::type, W>;
  constexpr uint32_t kTop = 0x80000000;  // compares as signed numbers
  auto signed_words = convert<typename I::T>(words ^ Vec<int32_t, W>::of(int32_t(kTop)));
  return {(signed_words < I::of(int32_t(uint32_t(threshold) ^ kTop))).v};
}

// Bodies: eval(c, words, x) is a vector of T from one Word an element; x is the operand, if any.
template <class T_, class Word_>
struct Draws {
  using T = T_;
  using Word = Word_;
};

/// Uniform in [0, 1): multiples of 2^-bits, bits <= 24.
struct UniformF32 : Draws<float, int32_t> {
  template <int W>
  static GYRE_INLINE auto eval(const DrawNumbers& c, Vec<Word, W> words, Vec<T, W>) {
    auto number = (words >> (32 - c.bits)) & Vec<Word, W>::of((1 << c.bits) - 1);
    return convert<T>(number) * Vec<T, W>(1.0 / (1 << c.bits));
  }
};

/// Uniform in [0, 1): multiples of 2^-53.
struct UniformF64 : Draws<double, int64_t> {
  template <int W>
  static GYRE_INLINE auto eval(const DrawNumbers&, Vec<Word, W> words, Vec<T, W>) {
    return upper_bits(words) * Vec<T, W>(0x1p-53);
  }
};

/// Uniform low, ..., low + range - 1: upper halves of the products of words and range (Lemire 2019,
/// without rejection).
struct Integers : Draws<int64_t, int64_t> {
  template <int W>
  static GYRE_INLINE auto eval(const DrawNumbers& c, Vec<Word, W> words, Vec<T, W>) {
    const auto x = bit_cast<Lanes<W>>(words.v), y = Lanes<W>{} + c.range, a = x >> 32, b = y >> 32;
    const auto one = raw_multiply_halves<W>(a, y) + (raw_multiply_halves<W>(x, y) >> 32);
    const auto two = raw_multiply_halves<W>(x, b) + (one & kLow);
    const auto upper = raw_multiply_halves<W>(a, b) + (one >> 32) + (two >> 32);
    return Vec<T, W>::from(bit_cast<typename Vec<T, W>::R>(upper)) + Vec<T, W>::of(c.low);
  }
};

/// 1 where words are below the threshold, else 0.
struct Bernoulli : Draws<int32_t, int32_t> {
  template <int W>
  static GYRE_INLINE auto eval(const DrawNumbers& c, Vec<Word, W> words, Vec<T, W>) {
    return select(below<T>(words, c.threshold), Vec<T, W>::of(1),
                  Vec<T, W>::of(int32_t(c.threshold >> 32)));
  }
};

/// 0 where words are below the threshold, else x times scale.
template <class T>
struct Dropout : Draws<T, int32_t> {
  template <int W>
  static GYRE_INLINE auto eval(const DrawNumbers& c, Vec<int32_t, W> words, Vec<T, W> x) {
    return select(below<T>(words, c.threshold), Vec<T, W>(0.0), x * Vec<T, W>(c.scale));
  }
};

/// Normals have an even number of elements: two of a pair of numbers in (0, 1], the first of which
/// gives the radius and the second the angle (Box and Muller 1958).
template <int W>
GYRE_INLINE Vec<double, W> normal_number(Vec<int64_t, W> words) {
  return (upper_bits(words) + Vec<double, W>(1.0)) * Vec<double, W>(0x1p-53);
}
template <int W>
GYRE_INLINE Vec<double, W> normal_number(Vec<int32_t, W> words) {
  auto shifted = convert<double>(words ^ Vec<int32_t, W>::of(int32_t(0x80000000u)));
  return (shifted + Vec<double, W>(0x1p31 + 1)) * Vec<double, W>(0x1p-32);
}

/// Horner's scheme as simd's poly(), but rounding each product; from p and c[I] on.
template <int I, class V, int N>
GYRE_INLINE V plain_poly(V p, V x, const double (&c)[N]) {
  if constexpr (I < N)
    return plain_poly<I + 1>(p * x + V(c[I]), x, c);
  else
    return p;
}

// Coefficients of FreeBSD's msun (e_log.c, k_sin.c, k_cos.c), highest power first.
GYRE_TABLE double kLog[] = {1.479819860511658591e-01, 1.531383769920937332e-01,
                            1.818357216161805012e-01, 2.222219843214978396e-01,
                            2.857142874366239149e-01, 3.999999999940941908e-01,
                            6.666666666666735130e-01};
GYRE_TABLE double kSin[] = {1.58969099521155010221e-10, -2.50507602534068634195e-08,
                            2.75573137070700676789e-06, -1.98412698298579493134e-04,
                            8.33333333332248946124e-03, -1.66666666666666324348e-01};
GYRE_TABLE double kCos[] = {-1.13596475577881948265e-11, 2.08757232129817482790e-09,
                            -2.75573143513906633035e-07, 2.48015872894767294178e-05,
                            -1.38888888888741095749e-03, 4.16666666666666019037e-02};

/// log u for u in (0, 1].
template <class V>
GYRE_INLINE V plain_log(V u) {
  auto parts = log_parts(u);
  V f = parts.f, s = f / (f + V(2.0)), z = s * s, half = V(0.5) * f * f;
  V r = z * plain_poly<1>(V(kLog[0]), z, kLog);
  return parts.e * V(6.93147180369123816490e-01) -
         ((half - (s * (half + r) + parts.e * V(1.90821492927058770002e-10))) - f);
}

template <class V>
GYRE_INLINE Pack<V, 2> normals(V u, V t) {
  V radius = sqrt(V(-2.0) * plain_log(u));
  // t = (q + r) / 4 turns with |r| <= 1/2, exact
  V turns = t * V(4.0), q = round(turns);
  V angle = (turns - q) * V(1.5707963267948966), z = angle * angle;
  V sine = angle + angle * z * plain_poly<1>(V(kSin[0]), z, kSin);
  V cosine = V(1.0) - (V(0.5) * z - z * z * plain_poly<1>(V(kCos[0]), z, kCos));
  auto odd = (q == V(1.0)) | (q == V(3.0));
  V x = select(odd, sine, cosine), y = select(odd, cosine, sine);
  x = select((q == V(1.0)) | (q == V(2.0)), -x, x);
  y = select((q == V(2.0)) | (q == V(3.0)), -y, y);
  return pack(radius * x, radius * y);
}

}  // namespace
}  // namespace gyre
