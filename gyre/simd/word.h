#pragma once
// An exact number type: a body written with +, - and * over these sums up without rounding:
// products and sums of words are double words (double_word.h).
#include "gyre/simd/double_word.h"

namespace gyre {
namespace {

template <class V>
struct Word {
  V v;
  Word() = default;
  GYRE_INLINE Word(V value) : v(value) {}

  friend GYRE_INLINE Two<V> operator+(Word a, Word b) { return two_sum(a.v, b.v); }
  friend GYRE_INLINE Two<V> operator-(Word a, Word b) { return two_sum(a.v, -b.v); }
  friend GYRE_INLINE Two<V> operator*(Word a, Word b) { return two_prod(a.v, b.v); }
  friend GYRE_INLINE Two<V> operator*(Two<V> a, Word b) {
    Two<V> p = two_prod(a.hi, b.v);
    return {p.hi, fma(a.lo, b.v, p.lo)};
  }
  friend GYRE_INLINE Two<V> operator*(Word a, Two<V> b) { return b * a; }
};

/// sum + x, with rounding errors accumulated in the low word.
template <class V>
GYRE_INLINE Two<V> gathered(Two<V> sum, Two<V> x) {
  Two<V> s = two_sum(sum.hi, x.hi);
  return {s.hi, sum.lo + (s.lo + x.lo)};
}

/// Lane l: the sum of the lanes of v[l].
template <int step = 1, class T, int W>
GYRE_INLINE Two<Vec<T, W>> sums_of_lanes(const Two<Vec<T, W>>* v) {
  if constexpr (step < W) {
    auto a = sums_of_lanes<2 * step>(v), b = sums_of_lanes<2 * step>(v + step);
    auto half = [&](auto upper) GYRE_LAMBDA_INLINE {
      constexpr MakeSequence<W> kLanes;
      using V = Vec<T, W>;
      return Two<V>{V::from(raw_interleave<bool(upper.value)>(a.hi.v, b.hi.v, kLanes)),
                    V::from(raw_interleave<bool(upper.value)>(a.lo.v, b.lo.v, kLanes))};
    };
    return gathered(half(Place<0>{}), half(Place<1>{}));
  } else {
    return v[0];
  }
}

}  // namespace
}  // namespace gyre
