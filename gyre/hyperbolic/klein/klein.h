#pragma once
#include "gyre/hyperbolic/ball/ball.h"

// The Klein ball of curvature -c, c > 0: points x are rows with c|x|^2 < 1, geodesics are straight.
// Operands, axis, gradients, points outside and errors as in ball.h; a number c must be
// above 0. Addition is Einstein addition (Ungar 2008).

namespace gyre {

/// Einstein addition x ⊕ y (left translation of y by x), and x ⊕ (-y).
Tensor klein_add(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
Tensor klein_sub(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// Scalar multiplication r ⊗ x = exp0(r log0(x)); r is one number per row.
Tensor klein_scalar(const Tensor& r, const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
/// Gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v)): a rotation.
Tensor klein_gyration(const Tensor& x, const Tensor& y, const Tensor& v, const Tensor& c,
                      const AxisAttrs& a = {});
/// Exponential map of v at x (where the geodesic from x with velocity v is at time 1), and its
/// inverse, the logarithmic map of y at x.
Tensor klein_exp(const Tensor& x, const Tensor& v, const Tensor& c, const AxisAttrs& a = {});
Tensor klein_log(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// Exponential and logarithmic map at the origin.
Tensor klein_exp0(const Tensor& v, const Tensor& c, const AxisAttrs& a = {});
Tensor klein_log0(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
/// Parallel transport of v from x (from the origin) to y along the geodesic.
Tensor klein_transport(const Tensor& x, const Tensor& y, const Tensor& v, const Tensor& c,
                       const AxisAttrs& a = {});
Tensor klein_transport0(const Tensor& y, const Tensor& v, const Tensor& c, const AxisAttrs& a = {});
/// Point at t on the geodesic from x (t = 0) to y (t = 1); t is one number per row.
Tensor klein_geodesic(const Tensor& x, const Tensor& y, const Tensor& t, const Tensor& c,
                      const AxisAttrs& a = {});
/// Riemannian gradient at x from the Euclidean gradient g.
Tensor klein_egrad2rgrad(const Tensor& x, const Tensor& g, const Tensor& c,
                         const AxisAttrs& a = {});
/// Geodesic distance between x and y (from x to the origin), and its square, smooth at x = y.
Tensor klein_dist(const Tensor& x, const Tensor& y, const Tensor& c, const AxisKeepAttrs& a = {});
Tensor klein_dist0(const Tensor& x, const Tensor& c, const AxisKeepAttrs& a = {});
Tensor klein_dist2(const Tensor& x, const Tensor& y, const Tensor& c, const AxisKeepAttrs& a = {});
/// Inner product <u, v> and norm |v| of tangent vectors at x in the Riemannian metric.
Tensor klein_inner(const Tensor& x, const Tensor& u, const Tensor& v, const Tensor& c,
                   const AxisKeepAttrs& a = {});
Tensor klein_norm(const Tensor& x, const Tensor& v, const Tensor& c, const AxisKeepAttrs& a = {});
/// Inverse of transport0: parallel transport of v from x to the origin.
Tensor klein_untransport0(const Tensor& x, const Tensor& v, const Tensor& c,
                          const AxisAttrs& a = {});
/// As poincare_project.
Tensor klein_project(const Tensor& x, const Tensor& c, const ProjectAttrs& a = {});
/// Isometries to the other two models.
Tensor klein_to_poincare(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
Tensor klein_to_lorentz(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});

}  // namespace gyre
