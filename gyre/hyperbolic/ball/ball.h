#pragma once
#include "gyre/hyperbolic/project_attrs.h"
#include "gyre/ops/norm/norm.h"

// The Poincaré ball of curvature -c: points x are rows along an axis with c|x|^2 < 1. c = 0 is
// Euclidean space, c < 0 the sphere in stereographic projection. c is a number, a 0-d tensor or
// one value per row (it broadcasts to the shape without the axis); every function is differentiable
// in each tensor, c included. Points broadcast. f32, f64; f16 and bf16 as storage.
//
// A point outside the ball gives NaN. Error{value} if c is a number that is not finite; values of a
// tensor c are not checked. Error{shape, index} as for every op along an axis.
//
// Relative error in f32, by norm: at most 1e-6 for add, dist, exp and log at points up to distance
// 14 from the origin, 5e-6 for their gradients. Formulas: Ungar 2008; Ganea, Bécigneul and Hofmann
// 2018; rewritten in terms of defects (ball_bodies.h).

namespace gyre {

GYRE_FIELDS(ProjectAttrs, GYRE_FIELD(axis, "the axis; negative counts from the last"),
            GYRE_FIELD(margin, "least distance from the boundary, as a fraction of the radius"));

/// Möbius addition x ⊕ y.
Tensor poincare_add(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// Möbius subtraction x ⊕ (-y).
Tensor poincare_sub(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// Möbius scalar multiplication r ⊗ x = exp0(r log0(x)); r is one number per row.
Tensor poincare_scalar(const Tensor& r, const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
/// Gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v)): a rotation.
Tensor poincare_gyration(const Tensor& x, const Tensor& y, const Tensor& v, const Tensor& c,
                         const AxisAttrs& a = {});
/// Exponential map of v at x (where the geodesic from x with velocity v is at time 1), and its
/// inverse, the logarithmic map of y at x.
Tensor poincare_exp(const Tensor& x, const Tensor& v, const Tensor& c, const AxisAttrs& a = {});
Tensor poincare_log(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// Exponential map at the origin, tanh(sqrt(c)|v|) v / (sqrt(c)|v|), and its inverse.
Tensor poincare_exp0(const Tensor& v, const Tensor& c, const AxisAttrs& a = {});
Tensor poincare_log0(const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// Parallel transport of v from x (from the origin) to y along the geodesic.
Tensor poincare_transport(const Tensor& x, const Tensor& y, const Tensor& v, const Tensor& c,
                          const AxisAttrs& a = {});
Tensor poincare_transport0(const Tensor& y, const Tensor& v, const Tensor& c,
                           const AxisAttrs& a = {});
/// Point at t on the geodesic from x (t = 0) to y (t = 1); t is one number per row.
Tensor poincare_geodesic(const Tensor& x, const Tensor& y, const Tensor& t, const Tensor& c,
                         const AxisAttrs& a = {});
/// Riemannian gradient at x from the Euclidean gradient g.
Tensor poincare_egrad2rgrad(const Tensor& x, const Tensor& g, const Tensor& c,
                            const AxisAttrs& a = {});
/// Projects x into the ball: clips its norm to 1 - margin of the radius. 16-bit dtypes round the
/// result to the boundary unless margin is at least kGeooptMargin. Error{value} unless 0 < margin <
/// 1.
Tensor poincare_project(const Tensor& x, const Tensor& c, const ProjectAttrs& a = {});
/// Conformal factor lambda_x = 2 / (1 - c|x|^2).
Tensor poincare_lambda(const Tensor& x, const Tensor& c, const AxisKeepAttrs& a = {});
/// Geodesic distance between x and y (from x to the origin), and its square, smooth at x = y.
Tensor poincare_dist(const Tensor& x, const Tensor& y, const Tensor& c,
                     const AxisKeepAttrs& a = {});
Tensor poincare_dist0(const Tensor& x, const Tensor& c, const AxisKeepAttrs& a = {});
Tensor poincare_dist2(const Tensor& x, const Tensor& y, const Tensor& c,
                      const AxisKeepAttrs& a = {});
/// Inner product <u, v> and norm |v| of tangent vectors at x in the Riemannian metric.
Tensor poincare_inner(const Tensor& x, const Tensor& u, const Tensor& v, const Tensor& c,
                      const AxisKeepAttrs& a = {});
Tensor poincare_norm(const Tensor& x, const Tensor& v, const Tensor& c,
                     const AxisKeepAttrs& a = {});
/// Isometries to the other two models, c > 0.
Tensor poincare_to_lorentz(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
Tensor poincare_to_klein(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});

}  // namespace gyre
