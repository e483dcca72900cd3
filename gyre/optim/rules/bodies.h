#pragma once
#include "gyre/optim/rules/optim_tile.h"
#include "gyre/simd/vec.h"

// Formulas of optimiser steps, over vectors V of any width, which every device shares.

namespace gyre {
namespace {

/// The gradient after scaling and, if requested, zeroing of non-finite elements.
template <class V>
GYRE_INLINE V incoming(V g, const GradientNumbers& c) {
  constexpr double kMost = sizeof(typename V::T) == 4 ? __FLT_MAX__ : __DBL_MAX__;
  const auto all = V(c.finite_only != 0 ? 1.0 : 0.0) < V(0.5);
  return select((abs(g) <= V(kMost)) | all, g, V(0.0)) * V(c.scale);
}

/// An average towards x; unchanged where both are the same infinity.
template <class V>
GYRE_INLINE V averaged(V average, V x, double gain) {
  return select(x == average, average, fma(V(gain), x - average, average));
}

// Update rules by the name of their line in optim_ops.def. A rule gets a gradient g, the value x[0]
// and the state that a parameter has, x[1], ...: `least` to `most` tensors.

struct AdamBody {
  static constexpr int least = 2, most = 3;
  AdamNumbers c;
  template <class V, int arrays>
  GYRE_INLINE void operator()(V g, V (&x)[arrays]) const {
    g = fma(V(c.l2), x[0], g);
    x[1] = fma(V(c.beta1), x[1], V(1 - c.beta1) * g);
    x[2] = fma(V(c.beta2), x[2], V(1 - c.beta2) * g * g);
    if constexpr (arrays == 4) x[3] = max(x[3], x[2]);
    V root = fma(sqrt(x[arrays - 1]), V(c.root_correction), V(c.eps));
    x[0] = V(c.keep) * x[0] - fma(V(c.gradient_rate), g, V(c.rate) * x[1]) / root;
  }
};

struct SgdBody {
  static constexpr int least = 0, most = 1;
  SgdNumbers c;
  bool nesterov = c.nesterov != 0;
  template <class V, int arrays>
  GYRE_INLINE void operator()(V g, V (&x)[arrays]) const {
    g = fma(V(c.l2), x[0], g);
    if constexpr (arrays == 2) {
      x[1] = fma(V(c.momentum), x[1], V(c.undamped) * g);
      g = nesterov ? fma(V(c.momentum), x[1], g) : x[1];
    }
    x[0] = x[0] - V(c.lr) * g;
  }
};

struct RmspropBody {
  static constexpr int least = 1, most = 3;
  RmspropNumbers c;
  template <class V, int arrays>
  GYRE_INLINE void operator()(V g, V (&x)[arrays]) const {
    g = fma(V(c.l2), x[0], g);
    x[1] = fma(V(c.alpha), x[1], V(1 - c.alpha) * g * g);
    V spread = x[1];
    if constexpr (arrays == 4) {
      x[3] = fma(V(c.alpha), x[3], V(1 - c.alpha) * g);
      spread = max(x[1] - x[3] * x[3], V(0.0));  // rounding may make it negative
    }
    V update = g / (sqrt(spread) + V(c.eps));
    if constexpr (arrays > 2) update = x[2] = fma(V(c.momentum), x[2], update);
    x[0] = x[0] - V(c.lr) * update;
  }
};

struct AdagradBody {
  static constexpr int least = 1, most = 1;
  AdagradNumbers c;
  template <class V>
  GYRE_INLINE void operator()(V g, V (&x)[2]) const {
    g = fma(V(c.l2), x[0], g);
    x[1] = fma(g, g, x[1]);
    x[0] = x[0] - V(c.lr) * g / (sqrt(x[1] + V(c.initial)) + V(c.eps));
  }
};

struct AdadeltaBody {
  static constexpr int least = 2, most = 2;
  AdadeltaNumbers c;
  template <class V>
  GYRE_INLINE void operator()(V g, V (&x)[3]) const {
    g = fma(V(c.l2), x[0], g);
    x[1] = fma(V(c.rho), x[1], V(1 - c.rho) * g * g);
    V update = sqrt(x[2] + V(c.eps)) / sqrt(x[1] + V(c.eps)) * g;
    x[0] = x[0] - V(c.lr) * update;
    x[2] = fma(V(c.rho), x[2], V(1 - c.rho) * update * update);
  }
};

struct AdamaxBody {
  static constexpr int least = 2, most = 2;
  AdamaxNumbers c;
  template <class V>
  GYRE_INLINE void operator()(V g, V (&x)[3]) const {
    g = fma(V(c.l2), x[0], g);
    x[1] = fma(V(c.beta1), x[1], V(1 - c.beta1) * g);
    x[2] = max(V(c.beta2) * x[2], abs(g) + V(c.eps));
    x[0] = x[0] - V(c.rate) * x[1] / x[2];
  }
};

struct AsgdBody {
  static constexpr int least = 1, most = 1;
  AsgdNumbers c;
  template <class V>
  GYRE_INLINE void operator()(V g, V (&x)[2]) const {
    g = fma(V(c.l2), x[0], g);
    x[0] = V(c.keep) * x[0] - V(c.rate) * g;
    x[1] = averaged(x[1], x[0], c.share);
  }
};

struct RpropBody {
  static constexpr int least = 2, most = 2;
  RpropNumbers c;
  template <class V>
  GYRE_INLINE void operator()(V g, V (&x)[3]) const {
    const V turn = sign(g) * sign(x[1]);
    const V factor =
        select(turn > V(0.0), V(c.eta_plus), select(turn < V(0.0), V(c.eta_minus), V(1.0)));
    const V size = max(x[2], V(c.first)) * factor;
    x[2] = min(max(size, V(c.min_step)), V(c.max_step));
    x[1] = select(turn < V(0.0), V(0.0), g);
    x[0] = x[0] - sign(x[1]) * x[2];
  }
};

struct LionBody {
  static constexpr int least = 1, most = 1;
  LionNumbers c;
  template <class V>
  GYRE_INLINE void operator()(V g, V (&x)[2]) const {
    x[0] = V(c.keep) * x[0] - V(c.lr) * sign(fma(V(c.beta1), x[1], V(1 - c.beta1) * g));
    x[1] = fma(V(c.beta2), x[1], V(1 - c.beta2) * g);
  }
};

}  // namespace
}  // namespace gyre
