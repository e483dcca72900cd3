#pragma once
#include "gyre/hyperbolic/ball/ball_bodies.h"

// Row bodies of the Klein ball: points x are rows with c|x|^2 < 1, geodesics are straight. a and b
// are the defects of x and y, e = y - x.

namespace gyre {

/// sinh^2(sqrt(c) d) / c for the distance d of x and y: |e|^2 / b + c<x, e>^2 / ab.
GYRE_BODY auto klein_apart(auto c, auto a, auto b, auto ee, auto xe) {
  return (a * ee.hi + c * xe.hi * xe.hi) / (a * b);
}

struct KleinDist {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec = exact_number({.rows = 2, .scalars = 1, .sums = 4, .coefs = 1});
  static GYRE_BODY auto reduce(auto, auto x, auto y) {
    auto e = y - x;
    return pack(x * x, y * y, x * e, e * e);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto yy, auto xe, auto ee) {
    auto u = klein_apart(c, defect(c, xx), defect(c, yy), ee, xe);
    return pack(root(u) * asinhc(c * u));
  }
};
struct KleinDist2 : KleinDist {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto yy, auto xe, auto ee) {
    auto u = klein_apart(c, defect(c, xx), defect(c, yy), ee, xe);
    auto k = asinhc(c * u);
    return pack(u * k * k);
  }
};
// Logarithmic map: the multiple of e whose norm is the distance.
struct KleinLog {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 2, .scalars = 1, .sums = 4, .coefs = 1});
  static GYRE_BODY auto reduce(auto c, auto x, auto y) { return KleinDist::reduce(c, x, y); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto yy, auto xe, auto ee) {
    auto a = defect(c, xx);
    auto b = defect(c, yy);
    return pack(asinhc(c * klein_apart(c, a, b, ee, xe)) * sqrt(a) / sqrt(b));
  }
  static GYRE_BODY auto map(auto k, auto x, auto y) { return pack(k * (y - x)); }
};
// Point on the geodesic: a convex combination of the ends, as an increment from the nearer one.
struct KleinGeodesic {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 2, .scalars = 2, .sums = 4, .coefs = 3});
  static GYRE_BODY auto reduce(auto, auto c, auto x, auto y) { return KleinDist::reduce(c, x, y); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto t, auto c, auto xx, auto yy, auto xe, auto ee) {
    auto a = defect(c, xx);
    auto b = defect(c, yy);
    auto apart = c * klein_apart(c, a, b, ee, xe);
    auto k = asinhc(apart);
    auto square = apart * k * k;
    auto u = 1.0 - t;
    auto from = u * sinhc(u * u * square) * sqrt(b);
    auto to = t * sinhc(t * t * square) * sqrt(a);
    auto whole = from + to;
    auto none = 0.0 * whole;  // NaN outside the ball
    auto late = t > 0.5;
    return pack(select(late, none, 1.0 + none), select(late, 1.0 + none, none),
                select(late, -from, to) / whole);
  }
  static GYRE_BODY auto map(auto k, auto l, auto m, auto x, auto y) {
    return pack(k * x + l * y + m * (y - x));
  }
};
// Einstein addition with s = x + y and r = sqrt a: (r s + c<x, s> / (1 + r) x) / (1 + c<x, y>);
// the denominator squared is ab + c (a|s|^2 + c<x, s>^2).
struct KleinAdd {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 2, .scalars = 1, .sums = 4, .coefs = 2});
  static GYRE_BODY auto reduce(auto, auto x, auto y) {
    auto s = x + y;
    return pack(x * x, y * y, x * s, s * s);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto yy, auto xs, auto ss) {
    auto a = defect(c, xx);
    auto b = defect(c, yy);
    auto r = sqrt(a);
    auto along = c * xs.hi;
    auto w = sqrt(a * b + c * a * ss.hi + along * along);
    return pack(r / w, along / ((1.0 + r) * w));
  }
  static GYRE_BODY auto map(auto k, auto l, auto x, auto y) { return pack(k * (x + y) + l * x); }
};

// A point and a tangent vector there, with squared norm |v|^2 / a + c<x, v>^2 / a^2.
struct KleinTangent {
  using Attrs = AxisAttrs;
  static GYRE_BODY auto reduce(auto, auto x, auto v) { return pack(x * x, x * v, v * v); }
};
// Exponential map x + T v / (1 + p T) with T = tanh(L) / L, p = c<x, v> / a and L^2 = p^2 + c|v|^2
// / a; the denominator is 1 - tanh(L) + T c|v|^2 / (a (L - p)) where p < 0. No overflow for long v.
struct KleinExp : KleinTangent {
  static constexpr RowSpec spec = exact_row({.rows = 2, .scalars = 1, .sums = 3, .coefs = 1});
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto xv, auto vv) {
    auto a = defect(c, xx);
    auto p = c * xv.hi / a;
    auto m = c * vv.hi / a;
    auto k = p * p + m;
    auto s = tanhc(k);
    auto back = p < 0.0;
    auto l = sqrt(select(back, k, 1.0));
    auto e = exp(-2.0 * l);
    auto inward = 2.0 * e / (1.0 + e) + s * m / (l - select(back, p, 0.0));
    return pack(s / select(back, inward, 1.0 + s * p));
  }
  static GYRE_BODY auto map(auto k, auto x, auto v) { return pack(x + k * v); }
};
struct KleinNorm : KleinTangent {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec = exact_number({.rows = 2, .scalars = 1, .sums = 3, .coefs = 1});
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto xv, auto vv) {
    auto a = defect(c, xx);
    return pack(root(a * vv.hi + c * xv.hi * xv.hi) / a);
  }
};
struct KleinInner {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec = exact_number({.rows = 3, .scalars = 1, .sums = 4, .coefs = 1});
  static GYRE_BODY auto reduce(auto, auto x, auto u, auto v) {
    return pack(x * x, x * u, x * v, u * v);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto xu, auto xv, auto uv) {
    auto a = defect(c, xx);
    return pack((a * uv.hi + c * xu.hi * xv.hi) / (a * a));
  }
};
// Riemannian gradient: the inverse metric a (I - c x x^T) times g.
struct KleinEgrad2rgrad {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 2, .scalars = 1, .sums = 2, .coefs = 2});
  static GYRE_BODY auto reduce(auto, auto x, auto g) { return pack(x * x, x * g); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto xg) {
    auto a = defect(c, xx);
    return pack(a, a * c * xg.hi);
  }
  static GYRE_BODY auto map(auto k, auto l, auto x, auto g) { return pack(k * g - l * x); }
};
// Parallel transport from the origin: sqrt(b) (v - c<y, v> / (1 + sqrt b) y).
struct KleinTransport0 {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 2, .scalars = 1, .sums = 2, .coefs = 2});
  static GYRE_BODY auto reduce(auto, auto y, auto v) { return pack(y * y, y * v); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto yy, auto yv) {
    auto r = sqrt(defect(c, yy));
    return pack(r, r * c * yv.hi / (1.0 + r));
  }
  static GYRE_BODY auto map(auto k, auto l, auto y, auto v) { return pack(k * v - l * y); }
};
// Parallel transport to the origin: (v + c<x, v> / (sqrt(a) (1 + sqrt a)) x) / sqrt a.
struct KleinUntransport0 : KleinTransport0 {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto xv) {
    auto r = sqrt(defect(c, xx));
    auto k = 1.0 / r;
    return pack(k, -(k * k * c * xv.hi / (1.0 + r)));
  }
};
struct KleinDist0 : PoincareDist0 {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx) {
    return pack(root(xx.hi) * PoincareOfNorm::angle(c, xx));
  }
};

// Conversions.
struct KleinToPoincare : PoincareOfNorm {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx) {
    return pack(1.0 / (1.0 + sqrt(defect(c, xx))));
  }
};
struct KleinToLorentz : PoincareOfNorm {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx) {
    return pack(1.0 / sqrt(defect(c, xx)));
  }
};

}  // namespace gyre
