#pragma once
#include "gyre/hyperbolic/ball/ball.h"

// The Klein ball of curvature -c, c > 0: points x are rows with c|x|^2 < 1, geodesics are straight.
// For the rest (operands, axis, gradients, points outside, errors) see ball.h; c given as a number
// must be above 0. Sums are Einstein's (Ungar 2008).

namespace gyre {

/// x + y: the translation that takes the origin to x, of y; and x + (-y).
Tensor klein_add(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
Tensor klein_sub(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// r times x: the point at r times x's distance from the origin. r is one number a row.
Tensor klein_scalar(const Tensor& r, const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
/// gyr[x, y] v = -(x + y) + (x + (y + v)): a rotation.
Tensor klein_gyration(const Tensor& x, const Tensor& y, const Tensor& v, const Tensor& c,
                      const AxisAttrs& a = {});
/// The point that the geodesic from x in the direction v reaches at time 1, and the inverse.
Tensor klein_exp(const Tensor& x, const Tensor& v, const Tensor& c, const AxisAttrs& a = {});
Tensor klein_log(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// The same from the origin.
Tensor klein_exp0(const Tensor& v, const Tensor& c, const AxisAttrs& a = {});
Tensor klein_log0(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
/// The tangent vector v at x (at the origin) carried along the geodesic to y.
Tensor klein_transport(const Tensor& x, const Tensor& y, const Tensor& v, const Tensor& c,
                       const AxisAttrs& a = {});
Tensor klein_transport0(const Tensor& y, const Tensor& v, const Tensor& c, const AxisAttrs& a = {});
/// The point at t on the geodesic from x (t = 0) to y (t = 1); t is one number a row.
Tensor klein_geodesic(const Tensor& x, const Tensor& y, const Tensor& t, const Tensor& c,
                      const AxisAttrs& a = {});
/// The gradient in the metric at x for the gradient g by coordinates.
Tensor klein_egrad2rgrad(const Tensor& x, const Tensor& g, const Tensor& c,
                         const AxisAttrs& a = {});
/// The distance of x and y (of x from the origin), and its square, which is smooth at x = y.
Tensor klein_dist(const Tensor& x, const Tensor& y, const Tensor& c, const AxisKeepAttrs& a = {});
Tensor klein_dist0(const Tensor& x, const Tensor& c, const AxisKeepAttrs& a = {});
Tensor klein_dist2(const Tensor& x, const Tensor& y, const Tensor& c, const AxisKeepAttrs& a = {});
/// <u, v> and |v| in the metric at x.
Tensor klein_inner(const Tensor& x, const Tensor& u, const Tensor& v, const Tensor& c,
                   const AxisKeepAttrs& a = {});
Tensor klein_norm(const Tensor& x, const Tensor& v, const Tensor& c, const AxisKeepAttrs& a = {});
/// The inverse of transport0: v at x carried to the origin.
Tensor klein_untransport0(const Tensor& x, const Tensor& v, const Tensor& c,
                          const AxisAttrs& a = {});
/// As poincare_project.
Tensor klein_project(const Tensor& x, const Tensor& c, const ProjectAttrs& a = {});
/// x in the two other models: isometries.
Tensor klein_to_poincare(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
Tensor klein_to_lorentz(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});

}  // namespace gyre
