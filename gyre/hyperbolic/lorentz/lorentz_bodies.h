#pragma once
#include "gyre/hyperbolic/ball/ball_bodies.h"

// Row bodies of the hyperboloid t^2 - |x|^2 = 1 / c: rows are the space coordinates of points and
// of tangent vectors, whose time coordinate follows from the point. Nearly equal large products are
// never subtracted: see excess().

namespace gyre {

/// sqrt(c) t = sqrt(1 + c|x|^2).
template <class C, class N>
GYRE_BODY auto lorentz_time(C c, N xx) {
  return sqrt(1.0 + c * xx.hi);
}

/// Gram determinant |x|^2 |e|^2 - <x, e>^2, or 0 if within the rounding error of parallel vectors.
template <class X, class E, class P>
GYRE_BODY auto across(X xx, E ee, P xe) {
  auto g = gram(xx, ee, xe);
  return select(g > 0x1p-96 * (xx.hi * ee.hi), g, 0.0);
}
template <class M, class A, class B>
GYRE_BODY auto either(M m, A a, B b) {
  return RowSum{select(m, a.hi, b.hi), select(m, a.lo, b.lo)};
}

/// sinh^2(sqrt(c) d / 2) / c for the distance d of x and y, with e = y - x and p = 1 + c<x, y>.
/// With T the product of the times it is (T - p) / 2c or (|e|^2 + c gram) / (2 (T + p)), whichever
/// does not cancel. gram is the Gram determinant of x and y, equal to that of x and the shorter of
/// y and e (Lagrange's identity).
template <class C, class M, class N, class P, class Q, class Z>
GYRE_BODY auto excess(C c, M xx, N yy, P xe, Q ee, Z xy) {
  auto near = ee.hi <= yy.hi;
  auto g = across(xx, either(near, ee, yy), either(near, xe, xy));
  auto times = lorentz_time(c, xx) * lorentz_time(c, yy);
  auto p = 1.0 + c * xy.hi;
  auto beyond = p < 0.0;
  auto ahead = (ee.hi + c * g) / (2.0 * select(beyond, times, times + p));
  return select(beyond, (times - p) / (2.0 * c), ahead);
}

// Sums of two points: |x|^2, |y|^2, <x, e>, |e|^2, <x, y>.
struct LorentzApart {
  template <class X, class Y>
  static GYRE_BODY auto sums(X x, Y y) {
    auto e = y - x;
    return pack(x * x, y * y, x * e, e * e, x * y);
  }
};
struct LorentzDist : LorentzApart {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec{.rows = 2,
                                .scalars = 1,
                                .sums = 5,
                                .coefs = 1,
                                .out_scalars = 1,
                                .exact = true,
                                .twofold = true};
  template <class C, class X, class Y>
  static GYRE_BODY auto reduce(C, X x, Y y) {
    return sums(x, y);
  }
  template <class C, class M, class N, class P, class Q, class Z>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, M xx, N yy, P xe, Q ee, Z xy) {
    auto h = excess(c, xx, yy, xe, ee, xy);
    return pack(2.0 * root(h) * asinhc(c * h));
  }
};
struct LorentzDist2 : LorentzDist {
  template <class C, class M, class N, class P, class Q, class Z>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, M xx, N yy, P xe, Q ee, Z xy) {
    auto h = excess(c, xx, yy, xe, ee, xy);
    auto half = asinhc(c * h);
    return pack(4.0 * h * half * half);
  }
};

// Gradients of LorentzDist by x, y and c for the cotangent g of the distance. The gradient by x is
// a multiple of y - (t_y / t_x) x, whose components along x nearly cancel; by y likewise.
struct LorentzDistBackward {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 2,
                                .scalars = 2,
                                .sums = 6,
                                .coefs = 8,
                                .out_rows = 2,
                                .out_scalars = 1,
                                .exact = true,
                                .twofold = true};
  template <class G, class C, class X, class Y>
  static GYRE_BODY auto reduce(G, C, X x, Y y) {
    auto e = y - x;
    return pack(x * x, y * y, x * e, y * e, e * e, x * y);
  }
  /// The coefficient of x, as a double word, in y - (t_y / t_x) x = coefficient x + e (if near) or
  /// + y. Far from the origin it removes the component of e or y along x and adds B = (<x, e> (t_x
  /// + t_y) - c t_x gram) / (|x|^2 t_x (T + p)) in the notation of excess(); if not `bent` (x, y
  /// parallel), only B remains.
  template <class C, class M, class P, class Q, class Z, class T, class U, class R, class S,
            class A, class B>
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
  template <class G, class C, class M, class N, class P, class R, class Q, class Z>
  static GYRE_BODY auto finish(RowInfo<Attrs>, G g, C c, M xx, N yy, P xe, R ye, Q ee, Z xy) {
    auto shorter = ee.hi <= yy.hi;
    auto gram = across(xx, either(shorter, ee, yy), either(shorter, xe, xy));
    auto tx = lorentz_time(c, xx);
    auto ty = lorentz_time(c, yy);
    auto times = tx * ty;
    auto p = 1.0 + c * xy.hi;
    auto beyond = p < 0.0;
    auto apart = ee.hi + c * gram;
    auto times_p = select(beyond, c * apart / (times - select(beyond, p, 0.0)), times + p);
    auto h =
        select(beyond, (times - p) / (2.0 * c), apart / (2.0 * select(beyond, times, times_p)));
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
  static constexpr RowSpec spec{.rows = 2,
                                .scalars = 1,
                                .sums = 5,
                                .coefs = 2,
                                .out_rows = 1,
                                .exact = true,
                                .twofold = true};
  template <class C, class X, class Y>
  static GYRE_BODY auto reduce(C, X x, Y y) {
    return sums(x, y);
  }
  template <class C, class M, class N, class P, class Q, class Z>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, M xx, N yy, P xe, Q ee, Z xy) {
    auto h = c * excess(c, xx, yy, xe, ee, xy);
    auto half = asinhc(h);
    auto k = 1.0 / sinhc(4.0 * h * half * half);
    return pack(k, 2.0 * h * k);
  }
  template <class K, class L, class X, class Y>
  static GYRE_BODY auto map(K k, L l, X x, Y y) {
    return pack(k * (y - x) - l * x);
  }
};

// Point on the geodesic: sinh((1 - t) D) / sinh D x + sinh(t D) / sinh D y.
struct LorentzGeodesic : LorentzApart {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 2,
                                .scalars = 2,
                                .sums = 5,
                                .coefs = 3,
                                .out_rows = 1,
                                .exact = true,
                                .twofold = true};
  template <class T, class C, class X, class Y>
  static GYRE_BODY auto reduce(T, C, X x, Y y) {
    return sums(x, y);
  }
  template <class T, class C, class M, class N, class P, class Q, class Z>
  static GYRE_BODY auto finish(RowInfo<Attrs>, T t, C c, M xx, N yy, P xe, Q ee, Z xy) {
    auto h = c * excess(c, xx, yy, xe, ee, xy);
    auto half = asinhc(h);
    auto square = 4.0 * h * half * half;
    auto parts = geodesic_parts(t, square);
    return by_increments(t, square, parts.e[0], parts.e[1], parts.e[2]);
  }
  template <class K, class L, class M, class X, class Y>
  static GYRE_BODY auto map(K k, L l, M m, X x, Y y) {
    return pack(k * x + l * y + m * (y - x));
  }
};

// Gyrovector addition, the boost from the origin to x applied to y: y + x (cosh D + time of y) /
// (1 + time of x) with D from the distance of -x and y.
struct LorentzAdd {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 2,
                                .scalars = 1,
                                .sums = 5,
                                .coefs = 1,
                                .out_rows = 1,
                                .exact = true,
                                .twofold = true};
  template <class C, class X, class Y>
  static GYRE_BODY auto reduce(C, X x, Y y) {
    auto s = x + y;
    return pack(x * x, y * y, x * s, s * s, x * y);
  }
  template <class C, class M, class N, class P, class Q, class Z>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, M xx, N yy, P xs, Q ss, Z xy) {
    auto tx = lorentz_time(c, xx);
    auto ty = lorentz_time(c, yy);
    auto h = excess(c, xx, yy, xs, ss, RowSum{-xy.hi, -xy.lo});  // of -x and y; xs enters squared
    return pack((1.0 + 2.0 * c * h + ty) / (1.0 + tx));
  }
  template <class K, class X, class Y>
  static GYRE_BODY auto map(K k, X x, Y y) {
    return pack(y + k * x);
  }
};

// Sums of a point and a tangent vector there: |x|^2, <x, v>, |v|^2.
struct LorentzTangent {
  using Attrs = AxisAttrs;
  template <class C, class X, class V>
  static GYRE_BODY auto reduce(C, X x, V v) {
    return pack(x * x, x * v, v * v);
  }
  /// Squared Riemannian norm of v.
  template <class C, class M, class P, class N>
  static GYRE_BODY auto squared(C c, M xx, P xv, N vv) {
    return (vv.hi + c * across(xx, vv, xv)) / (1.0 + c * xx.hi);
  }
};
// Exponential map cosh(L) x + sinh(L) / L v.
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
// Riemannian gradient: the inverse metric in space coordinates, I + c x x^T, times g.
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

// Parallel transport v + c <y, v> / (1 + cosh D) (x + y), <y, v> the Lorentzian inner product:
// <e, v> - <x, v> (t_y - t_x) / t_x.
struct LorentzTransport {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec{.rows = 3,
                                .scalars = 1,
                                .sums = 7,
                                .coefs = 1,
                                .out_rows = 1,
                                .exact = true,
                                .twofold = true};
  template <class C, class X, class Y, class V>
  static GYRE_BODY auto reduce(C, X x, Y y, V v) {
    auto e = y - x;
    return pack(x * x, y * y, x * e, e * e, x * y, e * v, x * v);
  }
  template <class C, class M, class N, class P, class Q, class R, class S, class Z>
  static GYRE_BODY auto finish(RowInfo<Attrs>, C c, M xx, N yy, P xe, Q ee, R xy, S ev, Z xv) {
    auto tx = lorentz_time(c, xx);
    auto ty = lorentz_time(c, yy);
    auto h = excess(c, xx, yy, xe, ee, xy);
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
