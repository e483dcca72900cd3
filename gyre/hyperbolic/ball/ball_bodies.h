#pragma once
#include "gyre/hyperbolic/project_attrs.h"
#include "gyre/hyperbolic/roots.h"
#include "gyre/ops/norm/bodies.h"
#include "gyre/simd/pack.h"
#include "gyre/simd/row_sum.h"

// Row bodies of the Poincaré ball of curvature -c, and for c <= 0 of Euclidean space and the sphere
// in stereographic projection. Rows are points and tangent vectors; c is one number per row.
// Formulas use the defects a = 1 - c|x|^2 and b = 1 - c|y|^2, q = |x + y|^2 or |y - x|^2 and
// nonnegative terms, so that nothing cancels near the boundary of the ball.

namespace gyre {

/// Specs of exact bodies whose result is a row, or one number per row.
constexpr RowSpec exact_row(RowSpec spec) {
  spec.exact = true;
  spec.out_rows = 1;
  return spec;
}
constexpr RowSpec exact_number(RowSpec spec) {
  spec.exact = true;
  spec.out_scalars = 1;
  return spec;
}
/// The same with sums that come with their rounding error, in f32 too.
constexpr RowSpec twofold(RowSpec spec) {
  spec.exact = spec.twofold = true;
  return spec;
}
constexpr RowSpec twofold_row(RowSpec spec) { return twofold(exact_row(spec)); }
constexpr RowSpec twofold_number(RowSpec spec) { return twofold(exact_number(spec)); }

/// The defect 1 - c n of a squared norm n; NaN for points outside the ball.
GYRE_BODY auto defect(auto c, auto n) {
  auto a = fma(-c, n.hi, 1.0) - c * n.lo;
  return select(a > 0.0, a, __builtin_nan(""));
}

/// Gram determinant x y - z^2 from the squared norms x, y and the inner product z of two vectors.
GYRE_BODY auto gram(auto x, auto y, auto z) {
  auto square = z.hi * z.hi;
  auto first = fma_near(x.hi, y.hi, -square) - fma_near(z.hi, z.hi, -square);
  return first + (x.hi * y.lo + x.lo * y.hi - 2.0 * (z.hi * z.lo));
}

// Möbius addition x ⊕ y = ((1 + 2c<x, y> + c|y|^2) x + (1 - c|x|^2) y) / (1 + 2c<x, y> + c^2 |x|^2
// |y|^2), with s = x + y: (a s + c q x) / (ab + c q). 1 - c|result|^2 = ab / (ab + c q).
struct PoincareAdd {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 2, .scalars = 1, .sums = 3, .coefs = 2});
  static GYRE_BODY auto reduce(auto, auto x, auto y) {
    auto s = x + y;
    return pack(s * s, x * x, y * y);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto q, auto xx, auto yy) {
    auto a = defect(c, xx);
    auto b = defect(c, yy);
    auto cq = c * q.hi;
    auto d = a * b + cq;
    return pack(a / d, cq / d);
  }
  static GYRE_BODY auto map(auto k, auto l, auto x, auto y) { return pack(k * (x + y) + l * x); }
};

// For distances d: sinh^2(sqrt(c) d / 2) / c.
struct PoincareApart {
  using Attrs = AxisKeepAttrs;
  static GYRE_BODY auto reduce(auto, auto x, auto y) {
    auto e = y - x;
    return pack(e * e, x * x, y * y);
  }
  static GYRE_BODY auto over_defects(auto c, auto q, auto xx, auto yy) {
    return q.hi / (defect(c, xx) * defect(c, yy));
  }
};
// (2 / sqrt c) asinh sqrt(c q / ab).
struct PoincareDist : PoincareApart {
  static constexpr RowSpec spec = exact_number({.rows = 2, .scalars = 1, .sums = 3, .coefs = 1});
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto q, auto xx, auto yy) {
    auto t = over_defects(c, q, xx, yy);
    return pack(2.0 * root(t) * asinhc(c * t));
  }
};
struct PoincareDist2 : PoincareApart {
  static constexpr RowSpec spec = PoincareDist::spec;
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto q, auto xx, auto yy) {
    auto t = over_defects(c, q, xx, yy);
    auto half = asinhc(c * t);
    return pack(4.0 * t * half * half);
  }
};

// Functions of x and |x|^2: k x.
struct PoincareOfNorm {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 1, .scalars = 1, .sums = 1, .coefs = 1});
  static GYRE_BODY auto reduce(auto, auto x) { return pack(x * x); }
  static GYRE_BODY auto map(auto k, auto x) { return pack(k * x); }
  /// artanh(sqrt(c)|x|) / (sqrt(c)|x|), which is asinh(u / sqrt(1 - u^2)) / u.
  static GYRE_BODY auto angle(auto c, auto xx) {
    auto a = defect(c, xx);
    return asinhc(c * xx.hi / a) / sqrt(a);
  }
};
struct PoincareExp0 : PoincareOfNorm {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto vv) { return pack(tanhc(c * vv.hi)); }
};
struct PoincareLog0 : PoincareOfNorm {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto yy) { return pack(angle(c, yy)); }
};
struct PoincareDist0 : PoincareOfNorm {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec = exact_number({.rows = 1, .scalars = 1, .sums = 1, .coefs = 1});
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx) {
    return pack(2.0 * root(xx.hi) * angle(c, xx));
  }
};

// Logarithmic map log_x(y) = m (a e - c q x) with e = y - x, m such that its norm in the metric at
// x is the distance; no division by 0 at y = x.
struct PoincareLog {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 2, .scalars = 1, .sums = 3, .coefs = 2});
  static GYRE_BODY auto reduce(auto c, auto x, auto y) { return PoincareApart::reduce(c, x, y); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto q, auto xx, auto yy) {
    auto a = defect(c, xx);
    auto b = defect(c, yy);
    auto ab = a * b;
    auto cq = c * q.hi;
    auto m = asinhc(cq / ab) * a / (sqrt(ab) * sqrt(ab + cq));
    return pack(m * a, m * cq);
  }
  static GYRE_BODY auto map(auto k, auto l, auto x, auto y) { return pack(k * (y - x) - l * x); }
};

// Exponential map exp_x(v) = x ⊕ w with w = tanh(t) v / (sqrt(c)|v|), t = sqrt(c)|v| / a, whose
// defect is sech^2 t. |x + w|^2 is computed from the components along and across x, since w may be
// near -x.
struct PoincareExp {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = twofold_row({.rows = 2, .scalars = 1, .sums = 3, .coefs = 2});
  static GYRE_BODY auto reduce(auto, auto x, auto v) { return pack(x * x, x * v, v * v); }
  /// |x + w v|^2.
  static GYRE_BODY auto sum_squared(auto c, auto xx, auto xv, auto vv, auto w) {
    auto far = c * xx.hi > 0.5;
    auto square = select(far, xx.hi, 1.0);
    auto along = xx.hi + w * xv.hi;
    auto apart = (along * along + w * w * gram(xx, vv, xv)) / square;
    return select(far, apart, along + w * (xv.hi + w * vv.hi));
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto xv, auto vv) {
    auto a = defect(c, xx);
    auto k = c * vv.hi / (a * a);
    auto w = tanhc(k) / a;
    auto cq = c * sum_squared(c, xx, xv, vv, w);
    auto d = a * sech2(k) + cq;
    return pack((a + cq) / d, a * w / d);
  }
  static GYRE_BODY auto map(auto k, auto l, auto x, auto v) { return pack(k * x + l * v); }
};

// Gradients of PoincareExp by x, v and c for the cotangent g of its result. Written by hand: where
// w nearly takes x back to the origin, the derivatives by |x|^2, <x, v> and |v|^2 are larger than
// the gradients by 1 / a, and cancel accurately only with the common factor s = x + w v.
struct PoincareExpBackward {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec =
      twofold({.rows = 3, .scalars = 1, .sums = 5, .coefs = 7, .out_rows = 2, .out_scalars = 1});
  static GYRE_BODY auto reduce(auto, auto g, auto x, auto v) {
    return pack(x * x, x * v, v * v, g * x, g * v);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto xv, auto vv, auto gx,
                               auto gv) {
    auto a = defect(c, xx);
    auto k = c * vv.hi / (a * a);
    auto t = tanhc(k);
    auto w = t / a;
    auto b = sech2(k);
    auto slope = slope_by_root<TanhOverRoot>(k, t, b);
    auto q = PoincareExp::sum_squared(c, xx, xv, vv, w);
    auto d = a * b + c * q;
    auto gs = gx.hi + w * gv.hi;
    auto gz = (a * gs + c * q * gx.hi) / d;
    auto by_cq = a * (b * gx.hi - gs) / (d * d);
    auto by_b = -gz * a / d;
    auto by_w = a * gv.hi / d + 2.0 * c * by_cq * (xv.hi + w * vv.hi);
    auto by_k = -by_b * b * t;
    auto by_a = gs / d - gz * b / d - by_w * b / (a * a) - 2.0 * by_k * k / a;
    auto by_cvv = by_w * slope / (a * a * a) + by_k / (a * a);
    return pack(q * by_cq + vv.hi * by_cvv - xx.hi * by_a, (a + c * q) / d, 2.0 * c * by_cq,
                -2.0 * c * by_a, a * w / d, w, 2.0 * c * by_cvv);
  }
  template <class C, class K, class Q, class A, class L, class W, class N, class G, class X,
            class V>  // nvcc 13.0 fails on ten parameters `auto`
  static GYRE_BODY auto map(C, K k, Q q, A by_a, L l, W w, N by_vv, G g, X x, V v) {
    auto s = q * (x + w * v);
    return pack(k * g + s + by_a * x, l * g + w * s + by_vv * v);
  }
};

// From D^2, D = sqrt(c) times the distance of two points of the hyperboloid: the weights
// sinh((1 - t) D) / sinh D and sinh(t D) / sinh D of the ends in the point at t, and 1 minus their
// sum, 2 sinh((1 - t) D / 2) sinh(t D / 2) / cosh(D / 2).
GYRE_BODY auto geodesic_parts(auto t, auto square) {
  auto u = 1.0 - t;
  auto whole = sinhc(square);
  auto half = 0.25 * square;
  auto lack = 2.0 * half * u * t * sinhc(u * u * half) * sinhc(t * t * half) / cosh_root(half);
  return pack(u * sinhc(u * u * square) / whole, t * sinhc(t * t * square) / whole, lack);
}
/// Coefficients k, l, m of k x + l y + m (y - x) = `from` x + `to` y, where from + to = 1 - lack;
/// as an increment from the nearer end if the ends are near each other.
GYRE_BODY auto by_increments(auto t, auto square, auto from, auto to, auto lack) {
  auto near = abs(square) < 1.0;
  auto late = t > 0.5;
  auto end = 1.0 - lack;
  return pack(select(near, select(late, 0.0, end), from), select(near, select(late, end, 0.0), to),
              select(near, select(late, -from, to), 0.0));
}
// Point at t on the geodesic, on the hyperboloid a linear combination of the ends.
struct PoincareGeodesic {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 2, .scalars = 2, .sums = 3, .coefs = 3});
  static GYRE_BODY auto reduce(auto, auto c, auto x, auto y) {
    return PoincareApart::reduce(c, x, y);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto t, auto c, auto q, auto xx, auto yy) {
    auto a = defect(c, xx);
    auto b = defect(c, yy);
    auto apart = c * q.hi / (a * b);
    auto half = asinhc(apart);
    auto square = 4.0 * apart * half * half;
    auto parts = geodesic_parts(t, square);
    auto from = parts.e[0] * b;
    auto to = parts.e[1] * a;
    auto lack = 0.5 * (a * b) * parts.e[2];
    auto d = from + to + lack;
    return by_increments(t, square, from / d, to / d, lack / d);
  }
  static GYRE_BODY auto map(auto k, auto l, auto m, auto x, auto y) {
    return pack(k * x + l * y + m * (y - x));
  }
};

// Möbius scalar multiplication r ⊗ x = exp0(r log0(x)).
struct PoincareScalar : PoincareOfNorm {
  static constexpr RowSpec spec = exact_row({.rows = 1, .scalars = 2, .sums = 1, .coefs = 1});
  static GYRE_BODY auto reduce(auto, auto, auto x) { return pack(x * x); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto r, auto c, auto xx) {
    auto scale = r * angle(c, xx);
    return pack(scale * tanhc(c * xx.hi * scale * scale));
  }
};

// Gyration gyr[x, y] v = v + (2c / D) [(b<s, v> + c q<y, v>) x - (<s, v> - a<y, v>) s] with s = x +
// y and D = ab + c q (Ungar 2008, in terms of s).
struct PoincareGyration {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 3, .scalars = 1, .sums = 5, .coefs = 2});
  static GYRE_BODY auto reduce(auto, auto x, auto y, auto v) {
    auto s = x + y;
    return pack(s * s, x * x, y * y, s * v, y * v);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto q, auto xx, auto yy, auto sv, auto yv) {
    auto a = defect(c, xx);
    auto b = defect(c, yy);
    auto cq = c * q.hi;
    auto k = 2.0 * c / (a * b + cq);
    return pack(k * (b * sv.hi + cq * yv.hi), k * (sv.hi - a * yv.hi));
  }
  static GYRE_BODY auto map(auto k, auto l, auto x, auto y, auto v) {
    return pack(v + k * x - l * (x + y));
  }
};

// Parallel transport: gyr[y, -x] v times the ratio b / a of the conformal factors.
struct PoincareTransport {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 3, .scalars = 1, .sums = 5, .coefs = 3});
  static GYRE_BODY auto reduce(auto, auto x, auto y, auto v) {
    auto e = y - x;
    return pack(e * e, x * x, y * y, e * v, x * v);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto q, auto xx, auto yy, auto ev, auto xv) {
    auto a = defect(c, xx);
    auto b = defect(c, yy);
    auto cq = c * q.hi;
    auto ratio = b / a;
    auto k = 2.0 * c / (a * b + cq);
    return pack(ratio, ratio * k * (a * ev.hi - cq * xv.hi), ratio * k * (ev.hi + b * xv.hi));
  }
  static GYRE_BODY auto map(auto r, auto k, auto l, auto x, auto y, auto v) {
    return pack(r * v + k * y - l * (y - x));
  }
};
// Parallel transport from the origin.
struct PoincareTransport0 {
  using Attrs = AxisAttrs;
  static constexpr RowSpec spec = exact_row({.rows = 2, .scalars = 1, .sums = 1, .coefs = 1});
  static GYRE_BODY auto reduce(auto, auto y, auto) { return pack(y * y); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto yy) { return pack(defect(c, yy)); }
  static GYRE_BODY auto map(auto k, auto, auto v) { return pack(k * v); }
};
// Riemannian gradient: a^2 / 4 times the Euclidean gradient.
struct PoincareEgrad2rgrad : PoincareTransport0 {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx) {
    auto a = defect(c, xx);
    return pack(0.25 * a * a);
  }
};

/// The factor that clips a point with c|x|^2 = k to 1 - margin of the radius.
template <class U>
GYRE_BODY U drawn_inside(U k, double margin) {
  double most = 1.0 - margin;
  auto beyond = k > most * most;
  return select(beyond, most / sqrt(select(beyond, k, 1.0)), 1.0);
}
// Projects points into the ball.
struct PoincareProject : PoincareOfNorm {
  using Attrs = ProjectAttrs;
  static GYRE_BODY auto finish(RowInfo<Attrs> row, auto c, auto xx) {
    return pack(drawn_inside(c * xx.hi, row.attrs.margin));
  }
};

struct PoincareLambda : PoincareDist0 {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx) {
    return pack(2.0 / defect(c, xx));
  }
};
struct PoincareInner {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec = exact_number({.rows = 3, .scalars = 1, .sums = 2, .coefs = 1});
  static GYRE_BODY auto reduce(auto, auto x, auto u, auto v) { return pack(x * x, u * v); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto uv) {
    auto a = defect(c, xx);
    return pack(4.0 * uv.hi / (a * a));
  }
};
struct PoincareNorm {
  using Attrs = AxisKeepAttrs;
  static constexpr RowSpec spec = exact_number({.rows = 2, .scalars = 1, .sums = 2, .coefs = 1});
  static GYRE_BODY auto reduce(auto, auto x, auto v) { return pack(x * x, v * v); }
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx, auto vv) {
    return pack(2.0 * root(vv.hi) / defect(c, xx));
  }
};

// Conversions.
struct PoincareToLorentz : PoincareOfNorm {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx) {
    return pack(2.0 / defect(c, xx));
  }
};
struct PoincareToKlein : PoincareOfNorm {
  static GYRE_BODY auto finish(RowInfo<Attrs>, auto c, auto xx) {
    return pack(2.0 / (2.0 - defect(c, xx)));
  }
};

}  // namespace gyre
