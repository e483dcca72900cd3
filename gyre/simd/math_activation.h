#pragma once
// Gates of neural networks: sigmoid, softplus, silu and the two forms of gelu, each with a small
// relative error down to where the result vanishes (a product of rounded factors would lose it).
#include "gyre/simd/math_erf.h"
#include "gyre/simd/math_log.h"

namespace gyre {
namespace {

/// 1 / (1 + e^-x), to 0 through the subnormal numbers.
template <class T, int W>
GYRE_INLINE Vec<T, W> sigmoid(Vec<T, W> x) {
  using V = Vec<T, W>;
  V e = exp(-abs(x));
  return select(x < V(0.0), e, V(1.0)) / (V(1.0) + e);
}

/// log(1 + e^x).
template <class T, int W>
GYRE_INLINE Vec<T, W> softplus(Vec<T, W> x) {
  using V = Vec<T, W>;
  V t = exp(-abs(x));
  Two<V> u = fast_two_sum(V(1.0), t);  // 1 to 2: no edge of log is near
  auto p = log_parts_normal(u.hi);
  V f = p.f + select(p.e > V(0.0), u.lo * V(0.5), u.lo);
  return max(x, V(0.0)) + log_of_parts(p.e, f);
}

/// x times the logistic function of g.hi + g.lo, the sign of which is that of x.
template <class T, int W>
GYRE_INLINE Vec<T, W> logistic_gate(Vec<T, W> x, Two<Vec<T, W>> g) {
  using V = Vec<T, W>;
  constexpr double kEnd = sizeof(T) == 4 ? 110.0 : 760.0;  // x e^-kEnd is 0 for all x it belongs to
  auto positive = g.hi > V(0.0);
  V hi = select(positive, -g.hi, g.hi), lo = select(positive, -g.lo, g.lo);
  auto vanishes = hi < V(-kEnd);
  auto e = exp_parts(select(vanishes, V(-kEnd), hi), select(vanishes, V(0.0), lo));
  V p = V(1.0) + e.q;
  V ex = scale(p, e.n), below = V(1.0) + ex;
  V held = select(vanishes, V(-1.0), x);
  return select(positive, x / below, scale(held * p / below, e.n));
}

/// x sigmoid(x).
template <class T, int W>
GYRE_INLINE Vec<T, W> silu(Vec<T, W> x) {
  using V = Vec<T, W>;
  V y = logistic_gate(x, Two<V>{x, V(0.0)});
  return select(x == V(-__builtin_inf()), V(-0.0), y);
}

/// x Phi(x), Phi the normal distribution function: for x > 0 it is x - x Phi(-x).
template <class T, int W>
GYRE_INLINE Vec<T, W> gelu(Vec<T, W> x) {
  using V = Vec<T, W>;
  V tail = normal_tail<true>(abs(x));
  return select(x < V(0.0), -tail, x - tail);
}

/// x sigmoid(2 sqrt(2 / pi) (x + 0.044715 x^3)) = x / 2 (1 + tanh(...)), the tanh form of gelu.
template <class T, int W>
GYRE_INLINE Vec<T, W> gelu_tanh(Vec<T, W> x) {
  using V = Vec<T, W>;
  constexpr bool kSingle = sizeof(T) == 4;
  // 2 sqrt(2 / pi) and 0.044715 times it, each in two words.
  const Two<V> linear{V(kSingle ? 1.5957691669464111 : 1.5957691216057308),
                      V(kSingle ? -4.53406804210527158e-8 : -9.96930880911092031e-17)};
  const Two<V> cubic{V(kSingle ? 0.07135481387376785 : 0.07135481627260025),
                     V(kSingle ? 2.39883239599313563e-9 : -6.17514991815531545e-19)};
  V h = hold(x, -30.0, 30.0);
  Two<V> w = two_prod(h, h) * cubic;
  Two<V> s = two_sum(linear.hi, w.hi);
  s.lo = s.lo + (w.lo + linear.lo);
  V y = logistic_gate(x, s * Two<V>{h, V(0.0)});
  return select(x == V(-__builtin_inf()), V(-0.0), y);
}

}  // namespace
}  // namespace gyre
