#pragma once
#include "gyre/hyperbolic/ball_bodies.h"

// Row bodies of the hyperboloid t^2 - |x|^2 = 1 / c: rows are the space coordinates of points, and
// those of tangent vectors, whose time follows from the point. No product of near-equal large
// numbers is subtracted: see excess().

namespace gyre {

/// sqrt(c) t = sqrt(1 + c|x|^2).
template <class C, class N>
GYRE_BODY auto lorentz_time(C c, N xx) {
  return sqrt(1.0 + c * xx.hi);
}

/// |x|^2 |e|^2 - <x, e>^2, and 0 where that is no more than what rounding leaves of parallel ones.
template <class X, class E, class P>
GYRE_BODY auto across(X xx, E ee, P xe) {
  auto g = gram(xx, ee, xe);
  return select(g > 0x1p-96 * (xx.hi * ee.hi), g, 0.0);
}

/// sinh^2(sqrt(c) d / 2) / c for the distance d of x and y, by e = y - x, the gram of x and e
/// (Lagrange's identity: of x and y just as well) and p = 1 + c<x, y>. With T the product of the
/// times it is (T - p) / 2c or (|e|^2 + c gram) / (2 (T + p)): the one that does not cancel.
template <class C, class T, class E, class G, class P>
GYRE_BODY auto excess(C c, T times, E ee, G gram, P p) {
  auto beyond = p < 0.0;
  auto near = (ee + c * gram) / (2.0 * select(beyond, times, times + p));
  return select(beyond, (times - p) / (2.0 * c), near);
}

// Two points: |x|^2, |y|^2, <x, e>, |e|^2.
struct LorentzApart {
  template <class X, class Y>
  static GYRE_BODY auto sums(X x, Y y) {
    auto e = y - x;
    return pack(x * x, y * y, x * e, e * e);
  }
  template <class C, class M, class N, class P, class Q>
  static GYRE_BODY auto apart(C c, M xx, N yy, P xe, Q ee) {
    return excess(c, lorentz_time(c, xx) * lorentz_time(c, yy), ee.hi, across(xx, ee, xe),
                  1.0 + c * (xx.hi + xe.hi));
  }
};
struct LorentzDist : LorentzApart {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec{.rows = 2,
                                .scalars = 1,
                                .sums = 4,
                                .coefs = 1,
                                .out_scalars = 1,
                                .exact = true,
                                .twofold = true};
  template <class C, class X, class Y>
  static GYRE_BODY auto reduce(C, X x, Y y) {
    return sums(x, y);
  }
  template <class C, class M, class N, class P, class Q>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, M xx, N yy, P xe, Q ee) {
    auto h = apart(c, xx, yy, xe, ee);
    return pack(2.0 * root(h) * asinhc(c * h));
  }
};
struct LorentzDist2 : LorentzDist {
  template <class C, class M, class N, class P, class Q>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, M xx, N yy, P xe, Q ee) {
    auto h = apart(c, xx, yy, xe, ee);
    auto half = asinhc(c * h);
    return pack(4.0 * h * half * half);
  }
};

// log_x(y) = (D / sinh D) (e - (cosh D - 1) x), D = sqrt(c) times the distance.
struct LorentzLog : LorentzApart {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 2,
                                .scalars = 1,
                                .sums = 4,
                                .coefs = 2,
                                .out_rows = 1,
                                .exact = true,
                                .twofold = true};
  template <class C, class X, class Y>
  static GYRE_BODY auto reduce(C, X x, Y y) {
    return sums(x, y);
  }
  template <class C, class M, class N, class P, class Q>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, M xx, N yy, P xe, Q ee) {
    auto h = c * apart(c, xx, yy, xe, ee);
    auto half = asinhc(h);
    auto k = 1.0 / sinhc(4.0 * h * half * half);
    return pack(k, 2.0 * h * k);
  }
  template <class K, class L, class X, class Y>
  static GYRE_BODY auto map(K k, L l, X x, Y y) {
    return pack(k * (y - x) - l * x);
  }
};

// sinh((1 - t) D) / sinh D x + sinh(t D) / sinh D y.
struct LorentzGeodesic : LorentzApart {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 2,
                                .scalars = 2,
                                .sums = 4,
                                .coefs = 2,
                                .out_rows = 1,
                                .exact = true,
                                .twofold = true};
  template <class T, class C, class X, class Y>
  static GYRE_BODY auto reduce(T, C, X x, Y y) {
    return sums(x, y);
  }
  template <class T, class C, class M, class N, class P, class Q>
  static GYRE_BODY auto finish(RowInfo<Attrs>, T t, C c, M xx, N yy, P xe, Q ee) {
    auto h = c * apart(c, xx, yy, xe, ee);
    auto half = asinhc(h);
    auto square = 4.0 * h * half * half;
    auto u = 1.0 - t;
    auto whole = sinhc(square);
    return pack(u * sinhc(u * u * square) / whole, t * sinhc(t * t * square) / whole);
  }
  template <class K, class L, class X, class Y>
  static GYRE_BODY auto map(K k, L l, X x, Y y) {
    return pack(k * x + l * y);
  }
};

// The boost that takes the origin to x, of y: y + x (cosh D + time of y) / (1 + time of x) with the
// distance of -x and y.
struct LorentzAdd {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 2,
                                .scalars = 1,
                                .sums = 4,
                                .coefs = 1,
                                .out_rows = 1,
                                .exact = true,
                                .twofold = true};
  template <class C, class X, class Y>
  static GYRE_BODY auto reduce(C, X x, Y y) {
    auto s = x + y;
    return pack(x * x, y * y, x * s, s * s);
  }
  template <class C, class M, class N, class P, class Q>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, M xx, N yy, P xs, Q ss) {
    auto tx = lorentz_time(c, xx);
    auto ty = lorentz_time(c, yy);
    auto h = excess(c, tx * ty, ss.hi, across(xx, ss, xs), 1.0 + c * (xx.hi - xs.hi));
    return pack((1.0 + 2.0 * c * h + ty) / (1.0 + tx));
  }
  template <class K, class X, class Y>
  static GYRE_BODY auto map(K k, X x, Y y) {
    return pack(y + k * x);
  }
};

// A point and a tangent vector there: |x|^2, <x, v>, |v|^2.
struct LorentzTangent {
  using Attrs = AxisAttrs;
  template <class C, class X, class V>
  static GYRE_BODY auto reduce(C, X x, V v) {
    return pack(x * x, x * v, v * v);
  }
  /// The square of v's length.
  template <class C, class M, class P, class N>
  static GYRE_BODY auto squared(C c, M xx, P xv, N vv) {
    return (vv.hi + c * across(xx, vv, xv)) / (1.0 + c * xx.hi);
  }
};
// cosh(L) x + sinh(L) / L v.
struct LorentzExp : LorentzTangent {
  static constexpr RowSpec spec{.rows = 2,
                                .scalars = 1,
                                .sums = 3,
                                .coefs = 2,
                                .out_rows = 1,
                                .exact = true,
                                .twofold = true};
  template <class C, class M, class P, class N>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, M xx, P xv, N vv) {
    auto k = c * squared(c, xx, xv, vv);
    return pack(cosh_root(k), sinhc(k));
  }
  template <class K, class L, class X, class V>
  static GYRE_BODY auto map(K k, L l, X x, V v) {
    return pack(k * x + l * v);
  }
};
struct LorentzNorm : LorentzTangent {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec{.rows = 2,
                                .scalars = 1,
                                .sums = 3,
                                .coefs = 1,
                                .out_scalars = 1,
                                .exact = true,
                                .twofold = true};
  template <class C, class M, class P, class N>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, M xx, P xv, N vv) {
    return pack(root(squared(c, xx, xv, vv)));
  }
};
struct LorentzInner {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec{
      .rows = 3, .scalars = 1, .sums = 4, .coefs = 1, .out_scalars = 1, .exact = true};
  template <class C, class X, class U, class V>
  static GYRE_BODY auto reduce(C, X x, U u, V v) {
    return pack(x * x, x * u, x * v, u * v);
  }
  template <class C, class M, class P, class Q, class N>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, M xx, P xu, Q xv, N uv) {
    return pack(uv.hi - c * xu.hi * xv.hi / (1.0 + c * xx.hi));
  }
};
// The inverse of the metric in space coordinates, I + c x x^T, times g.
struct LorentzEgrad2rgrad {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{
      .rows = 2, .scalars = 1, .sums = 1, .coefs = 1, .out_rows = 1, .exact = true};
  template <class C, class X, class G>
  static GYRE_BODY auto reduce(C, X x, G g) {
    return pack(x * g);
  }
  template <class C, class P>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, P xg) {
    return pack(c * xg.hi);
  }
  template <class K, class X, class G>
  static GYRE_BODY auto map(K k, X x, G g) {
    return pack(g + k * x);
  }
};

// v + c <y, v> / (1 + cosh D) (x + y), the product that of the hyperboloid: <e, v> less <x, v>
// times the growth of time from x to y over the time of x.
struct LorentzTransport {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 3,
                                .scalars = 1,
                                .sums = 6,
                                .coefs = 1,
                                .out_rows = 1,
                                .exact = true,
                                .twofold = true};
  template <class C, class X, class Y, class V>
  static GYRE_BODY auto reduce(C, X x, Y y, V v) {
    auto e = y - x;
    return pack(x * x, y * y, x * e, e * e, e * v, x * v);
  }
  template <class C, class M, class N, class P, class Q, class S, class Z>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, M xx, N yy, P xe, Q ee, S ev, Z xv) {
    auto tx = lorentz_time(c, xx);
    auto ty = lorentz_time(c, yy);
    auto h = LorentzApart::apart(c, xx, yy, xe, ee);
    auto growth = c * (2.0 * xe.hi + ee.hi) / (tx + ty);
    return pack(c * (ev.hi - xv.hi * growth / tx) / (2.0 + 2.0 * c * h));
  }
  template <class K, class X, class Y, class V>
  static GYRE_BODY auto map(K k, X x, Y y, V v) {
    return pack(v + k * (x + y));
  }
};
struct LorentzTransport0 {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{
      .rows = 2, .scalars = 1, .sums = 2, .coefs = 1, .out_rows = 1, .exact = true};
  template <class C, class Y, class V>
  static GYRE_BODY auto reduce(C, Y y, V v) {
    return pack(y * y, y * v);
  }
  template <class C, class N, class P>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, N yy, P yv) {
    return pack(c * yv.hi / (1.0 + lorentz_time(c, yy)));
  }
  template <class K, class Y, class V>
  static GYRE_BODY auto map(K k, Y y, V v) {
    return pack(v + k * y);
  }
};

struct LorentzExp0 : PoincareOfNorm {
  template <class C, class N>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, N vv) {
    return pack(sinhc(c * vv.hi));
  }
};
struct LorentzLog0 : PoincareOfNorm {
  template <class C, class N>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, N xx) {
    return pack(asinhc(c * xx.hi));
  }
};
struct LorentzDist0 : PoincareDist0 {
  template <class C, class N>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, N xx) {
    return pack(root(xx.hi) * asinhc(c * xx.hi));
  }
};
struct LorentzScalar : PoincareScalar {
  template <class R, class C, class N>
  static GYRE_BODY auto finish(RowInfo<Attrs>, R r, C c, N xx) {
    auto k = c * xx.hi;
    auto scale = r * asinhc(k);
    return pack(scale * sinhc(k * scale * scale));
  }
};

// Conversions.
struct LorentzToPoincare : PoincareOfNorm {
  template <class C, class N>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, N xx) {
    return pack(1.0 / (1.0 + lorentz_time(c, xx)));
  }
};
struct LorentzToKlein : PoincareOfNorm {
  template <class C, class N>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, N xx) {
    return pack(1.0 / lorentz_time(c, xx));
  }
};

}  // namespace gyre
