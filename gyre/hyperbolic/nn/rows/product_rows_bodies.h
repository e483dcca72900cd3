#pragma once
#include "gyre/hyperbolic/ball/ball_bodies.h"

// Row bodies that turn a product of tangent vectors at the origin into points of the ball.

namespace gyre {

// exp0(v) ⊕ b, projected into the ball: with w v = exp0(v), whose defect a is sech^2, with m b for
// the bias, whose defect is e, and q = |w v + m b|^2 it is ((a + c q) w v + a m b) / (a e + c q).
struct PoincareExp0Sum {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = twofold_row({.rows = 2, .scalars = 1, .sums = 3, .coefs = 2});
  static GYRE_BODY auto reduce(auto, auto v, auto b) { return pack(b * b, b * v, v * v); }
  static GYRE_BODY auto joined(auto c, auto bb, auto bv, auto vv, auto m, auto e) {
    auto w = tanhc(c * vv.hi);
    auto a = sech2(c * vv.hi);
    auto cm = c * m * m;
    auto cq = cm * PoincareExp::sum_squared(cm, bb, bv, vv, w / m);
    auto d = a * e + cq;
    auto scale = drawn_inside(cq / d, kProjectMargin) / d;
    return pack(scale * (a + cq) * w, scale * a * m);
  }
  static GYRE_BODY auto map(auto k, auto l, auto v, auto b) { return pack(k * v + l * b); }
};
// b is a point.
struct PoincareExp0Add : PoincareExp0Sum {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto bb, auto bv, auto vv) {
    return joined(c, bb, bv, vv, 1.0, defect(c, bb));
  }
};
// The bias is exp0(b).
struct PoincareExp0AddExp0 : PoincareExp0Sum {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto bb, auto bv, auto vv) {
    return joined(c, bb, bv, vv, tanhc(c * bb.hi), sech2(c * bb.hi));
  }
};

}  // namespace gyre
