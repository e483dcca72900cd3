#pragma once
#include "gyre/optim/optim_tile.h"
#include "gyre/simd/vec.h"

// Formulas of optimiser steps, over vectors V of any width, which every device shares.

namespace gyre {
namespace {

template <class T>
inline constexpr double kMost = sizeof(T) == 4 ? __FLT_MAX__ : __DBL_MAX__;

/// The gradient after scaling and, if requested, zeroing of non-finite elements.
template <class V>
struct Incoming {
  V scale;
  typename V::M all;
  explicit GYRE_INLINE Incoming(const GradientNumbers& c)
      : scale(c.scale), all(V(c.finite_only != 0 ? 1.0 : 0.0) < V(0.5)) {}
  GYRE_INLINE V operator()(V g) const {
    return select((abs(g) <= V(kMost<typename V::T>)) | all, g, V(0.0)) * scale;
  }
};

/// An average towards x; unchanged where both are the same infinity.
template <class V>
GYRE_INLINE V averaged(V average, V x, V gain) {
  return select(x == average, average, fma(gain, x - average, average));
}

// Update rules by name of their line in optim_ops.def. A rule gets a gradient g, the value x[0]
// and the state that a parameter has, x[1], ...: `least` to `most` tensors.

template <class V>
struct AdamBody {
  static constexpr int least = 2, most = 3;
  V l2, beta1, gain1, beta2, gain2, rate, root, eps, keep;
  explicit GYRE_INLINE AdamBody(const AdamNumbers& c)
      : l2(c.l2),
        beta1(c.beta1),
        gain1(1 - c.beta1),
        beta2(c.beta2),
        gain2(1 - c.beta2),
        rate(c.rate),
        root(c.root_correction),
        eps(c.eps),
        keep(c.keep) {}
  template <int arrays>
  GYRE_INLINE void operator()(V g, V (&x)[arrays]) const {
    g = fma(l2, x[0], g);
    x[1] = fma(beta1, x[1], gain1 * g);
    x[2] = fma(beta2, x[2], gain2 * g * g);
    if constexpr (arrays == 4) x[3] = max(x[3], x[2]);
    x[0] = keep * x[0] - rate * x[1] / fma(sqrt(x[arrays - 1]), root, eps);
  }
};

template <class V>
struct SgdBody {
  static constexpr int least = 0, most = 1;
  V l2, lr, momentum, undamped;
  bool nesterov;
  explicit GYRE_INLINE SgdBody(const SgdNumbers& c)
      : l2(c.l2), lr(c.lr), momentum(c.momentum), undamped(c.undamped), nesterov(c.nesterov != 0) {}
  GYRE_INLINE void operator()(V g, V (&x)[1]) const { x[0] = x[0] - lr * fma(l2, x[0], g); }
  GYRE_INLINE void operator()(V g, V (&x)[2]) const {
    g = fma(l2, x[0], g);
    x[1] = fma(momentum, x[1], undamped * g);
    x[0] = x[0] - lr * (nesterov ? fma(momentum, x[1], g) : x[1]);
  }
};

template <class V>
struct LionBody {
  static constexpr int least = 1, most = 1;
  V lr, keep, beta1, gain1, beta2, gain2;
  explicit GYRE_INLINE LionBody(const LionNumbers& c)
      : lr(c.lr),
        keep(c.keep),
        beta1(c.beta1),
        gain1(1 - c.beta1),
        beta2(c.beta2),
        gain2(1 - c.beta2) {}
  GYRE_INLINE void operator()(V g, V (&x)[2]) const {
    x[0] = keep * x[0] - lr * sign(fma(beta1, x[1], gain1 * g));
    x[1] = fma(beta2, x[1], gain2 * g);
  }
};

}  // namespace
}  // namespace gyre
