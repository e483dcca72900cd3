#pragma once
#include "gyre/hyperbolic/project_attrs.h"
#include "gyre/ops/norm/norm.h"

// The Poincare ball of curvature -c: points x are rows along an axis with c|x|^2 < 1. For c = 0 it
// is the plane, for c < 0 the sphere in stereographic projection. c is a number, a 0-d tensor or
// one value a row (it broadcasts to the shape without the axis); every function has gradients in
// each tensor, c included. Points broadcast together. f32, f64; f16 and bf16 as storage.
//
// A point outside the ball gives NaN. Error{value} for a c given as a number that is not finite; a
// tensor c is not read. Error{shape, index} as for every op along an axis.
//
// Relative error of a result's norm in f32: at most 1e-6 for add, dist, exp and log at every point
// up to distance 14 from the origin, 5e-6 for their gradients. Formulas: Ungar 2008; Ganea,
// Becigneul and Hofmann 2018; written by defects (ball_bodies.h).

namespace gyre {

GYRE_FIELDS(ProjectAttrs, GYRE_FIELD(axis, "the axis; negative counts from the last"),
            GYRE_FIELD(margin, "how far from the edge, as a part of the radius"));

/// x + y, Moebius.
Tensor poincare_add(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// x + (-y), Moebius.
Tensor poincare_sub(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// r times x, Moebius: the point at r times x's distance from the origin. r is one number a row.
Tensor poincare_scalar(const Tensor& r, const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
/// gyr[x, y] v = -(x + y) + (x + (y + v)), Moebius: a rotation.
Tensor poincare_gyration(const Tensor& x, const Tensor& y, const Tensor& v, const Tensor& c,
                         const AxisAttrs& a = {});
/// The point that the geodesic from x in the direction v reaches at time 1, and the inverse.
Tensor poincare_exp(const Tensor& x, const Tensor& v, const Tensor& c, const AxisAttrs& a = {});
Tensor poincare_log(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// The same from the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|) and its inverse.
Tensor poincare_exp0(const Tensor& v, const Tensor& c, const AxisAttrs& a = {});
Tensor poincare_log0(const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// The tangent vector v at x (at the origin) carried along the geodesic to y.
Tensor poincare_transport(const Tensor& x, const Tensor& y, const Tensor& v, const Tensor& c,
                          const AxisAttrs& a = {});
Tensor poincare_transport0(const Tensor& y, const Tensor& v, const Tensor& c,
                           const AxisAttrs& a = {});
/// The point at t on the geodesic from x (t = 0) to y (t = 1); t is one number a row.
Tensor poincare_geodesic(const Tensor& x, const Tensor& y, const Tensor& t, const Tensor& c,
                         const AxisAttrs& a = {});
/// The gradient in the metric at x for the gradient g by coordinates.
Tensor poincare_egrad2rgrad(const Tensor& x, const Tensor& g, const Tensor& c,
                            const AxisAttrs& a = {});
/// x, or where that lies beyond 1 - margin of the ball's radius, the point there in its direction.
/// Dtypes of 16 bits round it to the edge unless margin is kGeooptMargin or more. Error{value} for
/// a margin that is not between 0 and 1.
Tensor poincare_project(const Tensor& x, const Tensor& c, const ProjectAttrs& a = {});
/// The conformal factor 2 / (1 - c|x|^2).
Tensor poincare_lambda(const Tensor& x, const Tensor& c, const AxisKeepAttrs& a = {});
/// The distance of x and y (of x from the origin), and its square, which is smooth at x = y.
Tensor poincare_dist(const Tensor& x, const Tensor& y, const Tensor& c,
                     const AxisKeepAttrs& a = {});
Tensor poincare_dist0(const Tensor& x, const Tensor& c, const AxisKeepAttrs& a = {});
Tensor poincare_dist2(const Tensor& x, const Tensor& y, const Tensor& c,
                      const AxisKeepAttrs& a = {});
/// <u, v> and |v| in the metric at x.
Tensor poincare_inner(const Tensor& x, const Tensor& u, const Tensor& v, const Tensor& c,
                      const AxisKeepAttrs& a = {});
Tensor poincare_norm(const Tensor& x, const Tensor& v, const Tensor& c,
                     const AxisKeepAttrs& a = {});
/// x in the two other models, c > 0: isometries.
Tensor poincare_to_lorentz(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
Tensor poincare_to_klein(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});

}  // namespace gyre
