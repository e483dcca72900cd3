#pragma once
#include "gyre/ops/norm/norm.h"

// The hyperboloid t^2 - |x|^2 = 1 / c of curvature -c, c > 0: points are stored as the rows of
// their space coordinates x, tangent vectors as those of theirs; time is computed, so nothing
// drifts. For the rest (operands, axis, gradients, errors) see ball.h; c given as a number must be
// above 0. Relative error in f32: at most 1e-6 of the distance up to distance 40 from the origin,
// and of geodesics up to 20, 5e-6 of their gradients; of second derivatives of the distance 5e-6 up
// to distance 8 and 5e-4 up to 14. But of two points that lie in one line with the origin, to an
// angle of 1e-7, these lack what turns the line.

namespace gyre {

/// x + y: the translation that takes the origin to x, of y; and x + (-y).
Tensor lorentz_add(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
Tensor lorentz_sub(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// r times x: the point at r times x's distance from the origin. r is one number a row.
Tensor lorentz_scalar(const Tensor& r, const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
/// gyr[x, y] v = -(x + y) + (x + (y + v)): a rotation.
Tensor lorentz_gyration(const Tensor& x, const Tensor& y, const Tensor& v, const Tensor& c,
                        const AxisAttrs& a = {});
/// The point that the geodesic from x in the direction v reaches at time 1, and the inverse.
Tensor lorentz_exp(const Tensor& x, const Tensor& v, const Tensor& c, const AxisAttrs& a = {});
Tensor lorentz_log(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// The same from the origin.
Tensor lorentz_exp0(const Tensor& v, const Tensor& c, const AxisAttrs& a = {});
Tensor lorentz_log0(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
/// The tangent vector v at x (at the origin) carried along the geodesic to y.
Tensor lorentz_transport(const Tensor& x, const Tensor& y, const Tensor& v, const Tensor& c,
                         const AxisAttrs& a = {});
Tensor lorentz_transport0(const Tensor& y, const Tensor& v, const Tensor& c,
                          const AxisAttrs& a = {});
/// The point at t on the geodesic from x (t = 0) to y (t = 1); t is one number a row.
Tensor lorentz_geodesic(const Tensor& x, const Tensor& y, const Tensor& t, const Tensor& c,
                        const AxisAttrs& a = {});
/// The gradient in the metric at x for the gradient g by coordinates.
Tensor lorentz_egrad2rgrad(const Tensor& x, const Tensor& g, const Tensor& c,
                           const AxisAttrs& a = {});
/// The distance of x and y (of x from the origin), and its square, which is smooth at x = y.
Tensor lorentz_dist(const Tensor& x, const Tensor& y, const Tensor& c, const AxisKeepAttrs& a = {});
Tensor lorentz_dist0(const Tensor& x, const Tensor& c, const AxisKeepAttrs& a = {});
Tensor lorentz_dist2(const Tensor& x, const Tensor& y, const Tensor& c,
                     const AxisKeepAttrs& a = {});
/// <u, v> and |v| in the metric at x.
Tensor lorentz_inner(const Tensor& x, const Tensor& u, const Tensor& v, const Tensor& c,
                     const AxisKeepAttrs& a = {});
Tensor lorentz_norm(const Tensor& x, const Tensor& v, const Tensor& c, const AxisKeepAttrs& a = {});
/// x in the two balls: isometries, with poincare_to_lorentz and klein_to_lorentz as inverses.
Tensor lorentz_to_poincare(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
Tensor lorentz_to_klein(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
/// (t, x) with t = sqrt(1 / c + |x|^2) before the space coordinates, and x out of it.
Tensor lorentz_with_time(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
Tensor lorentz_without_time(const Tensor& x, const AxisAttrs& a = {});

}  // namespace gyre
