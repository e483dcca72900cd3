#pragma once
// Double-word arithmetic: an unevaluated sum hi + lo of two lanes, about twice the precision.
// Error-free transformations: Dekker 1971, Knuth TAOCP 2, 4.2.2.
#include "gyre/simd/vec.h"

namespace gyre {
namespace {

template <class V>
struct Two {
  V hi, lo;
};

/// a + b exactly, for |a| >= |b| or a = 0 (Fast2Sum).
template <class V>
GYRE_INLINE Two<V> fast_two_sum(V a, V b) {
  V s = a + b;
  return {s, b - (s - a)};
}

/// a + b exactly (TwoSum).
template <class V>
GYRE_INLINE Two<V> two_sum(V a, V b) {
  V s = a + b;
  V t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

/// a * b exactly, barring under- and overflow (without fma also of a * 2^27, f32: 2^12).
template <class T, int W>
GYRE_INLINE Two<Vec<T, W>> two_prod(Vec<T, W> a, Vec<T, W> b) {
  using V = Vec<T, W>;
  V p = a * b;
#if defined(__FMA__) || GYRE_RAW_SCALAR
  return {p, fma(a, b, -p)};
#else
  const V split(sizeof(T) == 4 ? 4097.0 : 134217729.0);
  V ca = a * split, cb = b * split;
  V ah = ca - (ca - a), bh = cb - (cb - b);
  V al = a - ah, bl = b - bh;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
#endif
}

/// a * b + c with an exact product, for c so close to -a * b that the sum is exact too.
template <class T, int W>
GYRE_INLINE Vec<T, W> fma_cancelling(Vec<T, W> a, Vec<T, W> b, Vec<T, W> c) {
#if defined(__FMA__) || GYRE_RAW_SCALAR
  return fma(a, b, c);
#else
  auto p = two_prod(a, b);
  return (p.hi + c) + p.lo;
#endif
}

/// x (hi + lo) + k for k so close to the negative product that the sum cancels.
template <class V>
GYRE_INLINE V product_rest(Two<V> x, double hi, double lo, V k) {
  return fma_cancelling(x.hi, V(hi), k) + fma(x.lo, V(hi), x.hi * V(lo));
}

template <class V>
GYRE_INLINE Two<V> operator*(Two<V> a, Two<V> b) {
  Two<V> p = two_prod(a.hi, b.hi);
  return fast_two_sum(p.hi, p.lo + fma(a.hi, b.lo, a.lo * b.hi));
}

/// a + b for |a| >= |b| or a = 0.
template <class V>
GYRE_INLINE Two<V> add_smaller(Two<V> a, Two<V> b) {
  Two<V> s = fast_two_sum(a.hi, b.hi);
  return fast_two_sum(s.hi, s.lo + (a.lo + b.lo));
}

}  // namespace
}  // namespace gyre
