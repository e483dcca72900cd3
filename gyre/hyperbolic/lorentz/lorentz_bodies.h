#pragma once
#include "gyre/hyperbolic/ball/ball_bodies.h"

// Row bodies of the hyperboloid t^2 - |x|^2 = 1 / c: rows are the space coordinates of points and
// of tangent vectors, whose time coordinate follows from the point. Nearly equal large products are
// never subtracted: see excess().

namespace gyre {

/// sqrt(c) t = sqrt(1 + c|x|^2).
GYRE_BODY auto lorentz_time(auto c, auto xx) { return sqrt(1.0 + c * xx.hi); }

/// x where m, else 0; on Tensor the derivatives of every order are those of x (define_rowwise.h).
GYRE_BODY auto keep(auto m, auto x) { return select(m, x, 0.0); }
/// Gram determinant |x|^2 |e|^2 - <x, e>^2, or 0 if within the rounding error of parallel vectors.
GYRE_BODY auto across(auto xx, auto ee, auto xe) {
  auto g = gram(xx, ee, xe);
  return keep(g > 0x1p-96 * (xx.hi * ee.hi), g);
}
GYRE_BODY auto either(auto m, auto a, auto b) {
  return RowSum{select(m, a.hi, b.hi), select(m, a.lo, b.lo)};
}

/// sinh^2(sqrt(c) d / 2) / c for the distance d of x and y, with e = y - x and p = 1 + c<x, y>.
/// With T the product of the times it is (T - p) / 2c or (|e|^2 + c gram) / (2 (T + p)), whichever
/// does not cancel. gram is the Gram determinant of x and y, equal to that of x and the shorter of
/// y and e (Lagrange's identity).
GYRE_BODY auto excess(auto c, auto xx, auto yy, auto xe, auto ee, auto xy) {
  auto near = ee.hi <= yy.hi;
  auto g = across(xx, either(near, ee, yy), either(near, xe, xy));
  auto times = lorentz_time(c, xx) * lorentz_time(c, yy);
  auto p = 1.0 + c * xy.hi;
  auto beyond = p < 0.0;
  auto ahead = (ee.hi + c * g) / (2.0 * select(beyond, times, times + p));
  return select(beyond, (times - p) / (2.0 * select(beyond, c, 1.0)), ahead);
}

// Sums of two points: |x|^2, |y|^2, <x, e>, |e|^2, <x, y>.
struct LorentzApart {
  static GYRE_BODY auto sums(auto x, auto y) {
    auto e = y - x;
    return pack(x * x, y * y, x * e, e * e, x * y);
  }
};
struct LorentzDist : LorentzApart {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec = twofold_number({.rows = 2, .scalars = 1, .sums = 5, .coefs = 1});
  static GYRE_BODY auto reduce(auto, auto x, auto y) { return sums(x, y); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto yy, auto xe, auto ee,
                               auto xy) {
    auto h = excess(c, xx, yy, xe, ee, xy);
    return pack(2.0 * root(h) * asinhc(c * h));
  }
};
struct LorentzDist2 : LorentzDist {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto yy, auto xe, auto ee,
                               auto xy) {
    auto h = excess(c, xx, yy, xe, ee, xy);
    auto half = asinhc(c * h);
    return pack(4.0 * h * half * half);
  }
};

// Gradients of LorentzDist by x, y and c for the cotangent g of the distance. The gradient by x is
// a multiple of y - (t_y / t_x) x, whose components along x nearly cancel; by y likewise.
struct LorentzDistBackward {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec =
      twofold({.rows = 2, .scalars = 2, .sums = 6, .coefs = 8, .out_rows = 2, .out_scalars = 1});
  static GYRE_BODY auto reduce(auto, auto, auto x, auto y) {
    auto e = y - x;
    return pack(x * x, y * y, x * e, y * e, e * e, x * y);
  }
  /// The coefficient of x, as a double word, in y - (t_y / t_x) x = coefficient x + e (if near) or
  /// + y. Far from the origin it removes the component of e or y along x and adds B = (<x, e> (t_x
  /// + t_y) - c t_x gram) / (|x|^2 t_x (T + p)) in the notation of excess(); if not `bent` (x, y
  /// parallel), only B remains.
  template <class C, class M, class P, class Q, class Z, class T, class U, class R, class S,
            class A, class B>  // nvcc 13.0 fails on ten parameters `auto`
  static GYRE_BODY auto along(C c, M xx, P xe, Q ee, Z xy, T tx, U ty, R gram, S times_p, A near,
                              B bent) {
    auto far = c * xx.hi > 0.5;
    auto square = select(far, xx.hi, 1.0);
    auto other = either(near, xe, xy);
    auto part = other.hi / square;
    auto rest = (fma_near(-part, square, other.hi) + (other.lo - part * xx.lo)) / square;
    auto left = (xe.hi * (tx + ty) - c * tx * gram) / (square * tx * times_p);
    auto growth = c * (2.0 * xe.hi + ee.hi) / ((tx + ty) * tx);
    return pack(select(far, select(bent, -part, 0.0), select(near, -growth, -(ty / tx))),
                select(far, left - select(bent, rest, 0.0), 0.0));
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto g, auto c, auto xx, auto yy, auto xe, auto ye,
                               auto ee, auto xy) {
    auto shorter = ee.hi <= yy.hi;
    auto gram = across(xx, either(shorter, ee, yy), either(shorter, xe, xy));
    auto tx = lorentz_time(c, xx);
    auto ty = lorentz_time(c, yy);
    auto times = tx * ty;
    auto p = 1.0 + c * xy.hi;
    auto beyond = p < 0.0;
    auto apart = ee.hi + c * gram;
    auto times_p = select(beyond, c * apart / (times - select(beyond, p, 0.0)), times + p);
    auto h = select(beyond, (times - p) / (2.0 * select(beyond, c, 1.0)),
                    apart / (2.0 * select(beyond, times, times_p)));
    auto moved = h > 0.0;
    auto by_h = select(moved, 1.0 / sqrt(select(moved, h, 1.0) * (1.0 + c * h)), 0.0);
    auto growth = xe.hi + ye.hi;  // |y|^2 - |x|^2
    auto slope = slope_by_root<AsinhOverRoot>(c * h, asinhc(c * h), AsinhOverRoot::slope(c * h));
    auto by_c =
        2.0 * h * root(h) * slope - by_h * growth * growth / (4.0 * times * (tx + ty) * (tx + ty));
    auto least = min(xx.hi, yy.hi);
    auto near = ee.hi <= least;
    auto bent = max(gram, 0.5 - c * least) > 0.0;
    auto x = along(c, xx, xe, ee, xy, tx, ty, gram, times_p, near, bent);
    auto y = along(c, yy, RowSum{-ye.hi, -ye.lo}, ee, xy, ty, tx, gram, times_p, near, bent);
    auto of_e = select(bent, select(near, 1.0, 0.0), 0.0);
    auto of_end = select(bent, select(near, 0.0, 1.0), 0.0);
    return pack(g * by_c, -0.5 * g * by_h, of_e, of_end, x.e[0], x.e[1], y.e[0], y.e[1]);
  }
  template <class C, class F, class E, class O, class K, class L, class M, class N, class X,
            class Y>
  static GYRE_BODY auto map(C, F f, E of_e, O of_end, K x_hi, L x_lo, M y_hi, N y_lo, X x, Y y) {
    auto e = of_e * (y - x);
    return pack(f * (fma_near(x_hi, x, of_end * y + e) + x_lo * x),
                f * (fma_near(y_hi, y, of_end * x - e) + y_lo * y));
  }
};

// Logarithmic map log_x(y) = (D / sinh D) (e - (cosh D - 1) x), D = sqrt(c) times the distance.
struct LorentzLog : LorentzApart {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = twofold_row({.rows = 2, .scalars = 1, .sums = 5, .coefs = 2});
  static GYRE_BODY auto reduce(auto, auto x, auto y) { return sums(x, y); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto yy, auto xe, auto ee,
                               auto xy) {
    auto h = c * excess(c, xx, yy, xe, ee, xy);
    auto half = asinhc(h);
    auto k = 1.0 / sinhc(4.0 * h * half * half);
    return pack(k, 2.0 * h * k);
  }
  static GYRE_BODY auto map(auto k, auto l, auto x, auto y) { return pack(k * (y - x) - l * x); }
};

// Point on the geodesic: sinh((1 - t) D) / sinh D x + sinh(t D) / sinh D y.
struct LorentzGeodesic : LorentzApart {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = twofold_row({.rows = 2, .scalars = 2, .sums = 5, .coefs = 3});
  static GYRE_BODY auto reduce(auto, auto, auto x, auto y) { return sums(x, y); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto t, auto c, auto xx, auto yy, auto xe, auto ee,
                               auto xy) {
    auto h = c * excess(c, xx, yy, xe, ee, xy);
    auto half = asinhc(h);
    auto square = 4.0 * h * half * half;
    auto parts = geodesic_parts(t, square);
    return by_increments(t, square, parts.e[0], parts.e[1], parts.e[2]);
  }
  static GYRE_BODY auto map(auto k, auto l, auto m, auto x, auto y) {
    return pack(k * x + l * y + m * (y - x));
  }
};

// Gyrovector addition, the boost from the origin to x applied to y: y + x (cosh D + time of y) /
// (1 + time of x) with D from the distance of -x and y.
struct LorentzAdd {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = twofold_row({.rows = 2, .scalars = 1, .sums = 5, .coefs = 1});
  static GYRE_BODY auto reduce(auto, auto x, auto y) {
    auto s = x + y;
    return pack(x * x, y * y, x * s, s * s, x * y);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto yy, auto xs, auto ss,
                               auto xy) {
    auto tx = lorentz_time(c, xx);
    auto ty = lorentz_time(c, yy);
    auto h = excess(c, xx, yy, xs, ss, RowSum{-xy.hi, -xy.lo});  // of -x and y; xs enters squared
    return pack((1.0 + 2.0 * c * h + ty) / (1.0 + tx));
  }
  static GYRE_BODY auto map(auto k, auto x, auto y) { return pack(y + k * x); }
};

// Sums of a point and a tangent vector there: |x|^2, <x, v>, |v|^2.
struct LorentzTangent {
  using Attrs = AxisAttrs;
  static GYRE_BODY auto reduce(auto, auto x, auto v) { return pack(x * x, x * v, v * v); }
  /// Squared Riemannian norm of v.
  static GYRE_BODY auto squared(auto c, auto xx, auto xv, auto vv) {
    return (vv.hi + c * across(xx, vv, xv)) / (1.0 + c * xx.hi);
  }
};
// Exponential map cosh(L) x + sinh(L) / L v.
struct LorentzExp : LorentzTangent {
  static constexpr RowSpec spec = twofold_row({.rows = 2, .scalars = 1, .sums = 3, .coefs = 2});
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto xv, auto vv) {
    auto k = c * squared(c, xx, xv, vv);
    return pack(cosh_root(k), sinhc(k));
  }
  static GYRE_BODY auto map(auto k, auto l, auto x, auto v) { return pack(k * x + l * v); }
};
struct LorentzNorm : LorentzTangent {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec = twofold_number({.rows = 2, .scalars = 1, .sums = 3, .coefs = 1});
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto xv, auto vv) {
    return pack(root(squared(c, xx, xv, vv)));
  }
};
struct LorentzInner {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec = exact_number({.rows = 3, .scalars = 1, .sums = 4, .coefs = 1});
  static GYRE_BODY auto reduce(auto, auto x, auto u, auto v) {
    return pack(x * x, x * u, x * v, u * v);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto xu, auto xv, auto uv) {
    return pack(uv.hi - c * xu.hi * xv.hi / (1.0 + c * xx.hi));
  }
};
// Riemannian gradient: the inverse metric in space coordinates, I + c x x^T, times g.
struct LorentzEgrad2rgrad {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 2, .scalars = 1, .sums = 1, .coefs = 1});
  static GYRE_BODY auto reduce(auto, auto x, auto g) { return pack(x * g); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xg) { return pack(c * xg.hi); }
  static GYRE_BODY auto map(auto k, auto x, auto g) { return pack(g + k * x); }
};

// Parallel transport v + c <y, v> / (1 + cosh D) (x + y), <y, v> the Lorentzian inner product:
// <e, v> - <x, v> (t_y - t_x) / t_x.
struct LorentzTransport {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = twofold_row({.rows = 3, .scalars = 1, .sums = 7, .coefs = 1});
  static GYRE_BODY auto reduce(auto, auto x, auto y, auto v) {
    auto e = y - x;
    return pack(x * x, y * y, x * e, e * e, x * y, e * v, x * v);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto yy, auto xe, auto ee, auto xy,
                               auto ev, auto xv) {
    auto tx = lorentz_time(c, xx);
    auto ty = lorentz_time(c, yy);
    auto h = excess(c, xx, yy, xe, ee, xy);
    auto growth = c * (2.0 * xe.hi + ee.hi) / (tx + ty);
    return pack(c * (ev.hi - xv.hi * growth / tx) / (2.0 + 2.0 * c * h));
  }
  static GYRE_BODY auto map(auto k, auto x, auto y, auto v) { return pack(v + k * (x + y)); }
};
struct LorentzTransport0 {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 2, .scalars = 1, .sums = 2, .coefs = 1});
  static GYRE_BODY auto reduce(auto, auto y, auto v) { return pack(y * y, y * v); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto yy, auto yv) {
    return pack(c * yv.hi / (1.0 + lorentz_time(c, yy)));
  }
  static GYRE_BODY auto map(auto k, auto y, auto v) { return pack(v + k * y); }
};

struct LorentzExp0 : PoincareOfNorm {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto vv) { return pack(sinhc(c * vv.hi)); }
};
struct LorentzLog0 : PoincareOfNorm {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx) { return pack(asinhc(c * xx.hi)); }
};
struct LorentzDist0 : PoincareDist0 {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx) {
    return pack(root(xx.hi) * asinhc(c * xx.hi));
  }
};
struct LorentzScalar : PoincareScalar {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto r, auto c, auto xx) {
    auto k = c * xx.hi;
    auto scale = r * asinhc(k);
    return pack(scale * sinhc(k * scale * scale));
  }
};

// Conversions.
struct LorentzToPoincare : PoincareOfNorm {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx) {
    return pack(1.0 / (1.0 + lorentz_time(c, xx)));
  }
};
struct LorentzToKlein : PoincareOfNorm {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx) {
    return pack(1.0 / lorentz_time(c, xx));
  }
};

}  // namespace gyre
