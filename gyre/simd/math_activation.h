#pragma once
// Activation functions: sigmoid, softplus, silu and the two forms of gelu, each with a small
// relative error down to where the result vanishes (a product of rounded factors would lose it).
#include "gyre/simd/math_erf.h"

namespace gyre {
namespace {

/// The logistic function 1 / (1 + e^-x) at x and at -x, down to 0 through the subnormal numbers.
template <class V>
struct LogisticPair {
  V at, opposite;
};
template <class T, int W>
GYRE_INLINE LogisticPair<Vec<T, W>> logistic_pair(Vec<T, W> x) {
  using V = Vec<T, W>;
  V e = exp_minus_abs(x);
  V upper = V(1.0) / (V(1.0) + e), lower = e * upper;
  auto negative = x < V(0.0);
  return {select(negative, lower, upper), select(negative, upper, lower)};
}
template <class T, int W>
GYRE_INLINE Vec<T, W> sigmoid(Vec<T, W> x) {
  return logistic_pair(x).at;
}

/// log(1 + e^x).
template <class T, int W>
GYRE_INLINE Vec<T, W> softplus(Vec<T, W> x) {
  Vec<T, W> t = exp_minus_abs(x), q;
  if constexpr (sizeof(T) == 4)
    q = single_chain(t, kLog1pQF32);
  else
    q = single_chain(t, kLog1pQF64);
  return fma(t, q, hold_above(x, 0.0));
}

/// x / (1 + 2^(r - k)) for |r| <= 1/2 and integer k, where 2^(k - r) may be subnormal or 0.
template <class T, int W>
GYRE_INLINE Vec<T, W> gated(Vec<T, W> x, Vec<T, W> k, Vec<T, W> r) {
  using V = Vec<T, W>;
  Scale<T, W> power(k);
  return power(x / ((power(V(1.0)) + V(1.0)) + exp2m1_near_zero(r)));
}

/// x sigmoid(x).
template <class T, int W>
GYRE_INLINE Vec<T, W> silu(Vec<T, W> x) {
  using V = Vec<T, W>;
  using F = FloatTraits<T>;
  x = hold_above(x, sizeof(T) == 4 ? -110.0 : -760.0);  // there x e^x is -0
  V h = hold_below(x, 60.0);
  V k = V(F::kMagic) - fma(h, V(-F::kLog2EHi), V(F::kMagic));
  V r = fma(h, V(-F::kLog2ELo), fma_cancelling(h, V(-F::kLog2EHi), k));
  return gated(x, k, r);
}

/// x Phi(x), Phi the normal distribution function: for x > 0 it is x - x Phi(-x).
template <class T, int W>
GYRE_INLINE Vec<T, W> gelu(Vec<T, W> x) {
  auto p = normal_parts(abs(x));
  return hold_above(x, -0.0) - times_exp(normal_moment(p.a), p.e);
}

/// x sigmoid(2 sqrt(2 / pi) (x + 0.044715 x^3)) = x / 2 (1 + tanh(...)), the tanh form of gelu.
template <class T, int W>
GYRE_INLINE Vec<T, W> gelu_tanh(Vec<T, W> x) {
  using V = Vec<T, W>;
  constexpr bool kSingle = sizeof(T) == 4;
  constexpr double kMagic = FloatTraits<T>::kMagic;
  // The argument is ln2 * cubic * x (x^2 + square), each constant in two words; square.hi is short.
  constexpr double kCubicHi = kSingle ? 0.10294324159622192 : 0.1029432395800235,
                   kCubicLo = kSingle ? -2.016198436410503e-09 : -5.978177400718744e-18;
  constexpr double kSquareHi = kSingle ? 22.36328125 : 22.363860001787543,
                   kSquareLo = kSingle ? 5.787522363860003e-4 : 4.4884270340967375e-10;
  x = hold_above(x, kSingle ? -12.0 : -22.0);  // there the result is -0
  V h = hold_below(x, 8.0);
  V s = fma(h, h, V(kSquareHi));
  V s_lo = fma_cancelling(h, h, V(kSquareHi) - s) + V(kSquareLo);
  V w = h * s;
  V w_lo = fma(h, s_lo, fma_cancelling(h, s, -w));
  V k = V(kMagic) - fma(w, V(-kCubicHi), V(kMagic));
  return gated(x, k, product_rest(Two<V>{w, w_lo}, -kCubicHi, -kCubicLo, k));
}

}  // namespace
}  // namespace gyre
