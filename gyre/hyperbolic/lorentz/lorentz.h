#pragma once
#include "gyre/ops/norm/norm.h"

// The hyperboloid (Lorentz model) t^2 - |x|^2 = 1 / c of curvature -c, c > 0. Rows hold the space
// coordinates x of points and of tangent vectors; time coordinates are computed, so points never
// drift off the hyperboloid. Operands, axis, gradients and errors as in ball.h; a number c must be
// above 0. Relative error in f32: at most 1e-6 for dist up to distance 40 from the origin and for
// geodesic up to 20, 5e-6 for their gradients; for second derivatives of dist 5e-6 up to distance 8
// and 5e-4 up to 14. For two points collinear with the origin (to an angle of 1e-7) second
// derivatives omit the terms that rotate the line.

namespace gyre {

/// Gyrovector addition x ⊕ y (the boost that takes the origin to x, applied to y), and x ⊕ (-y).
Tensor lorentz_add(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
Tensor lorentz_sub(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// Scalar multiplication r ⊗ x = exp0(r log0(x)); r is one number per row.
Tensor lorentz_scalar(const Tensor& r, const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
/// Gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v)): a rotation.
Tensor lorentz_gyration(const Tensor& x, const Tensor& y, const Tensor& v, const Tensor& c,
                        const AxisAttrs& a = {});
/// Exponential map of v at x (where the geodesic from x with velocity v is at time 1), and its
/// inverse, the logarithmic map of y at x.
Tensor lorentz_exp(const Tensor& x, const Tensor& v, const Tensor& c, const AxisAttrs& a = {});
Tensor lorentz_log(const Tensor& x, const Tensor& y, const Tensor& c, const AxisAttrs& a = {});
/// Exponential and logarithmic map at the origin.
Tensor lorentz_exp0(const Tensor& v, const Tensor& c, const AxisAttrs& a = {});
Tensor lorentz_log0(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
/// Parallel transport of v from x (from the origin) to y along the geodesic.
Tensor lorentz_transport(const Tensor& x, const Tensor& y, const Tensor& v, const Tensor& c,
                         const AxisAttrs& a = {});
Tensor lorentz_transport0(const Tensor& y, const Tensor& v, const Tensor& c,
                          const AxisAttrs& a = {});
/// Point at t on the geodesic from x (t = 0) to y (t = 1); t is one number per row.
Tensor lorentz_geodesic(const Tensor& x, const Tensor& y, const Tensor& t, const Tensor& c,
                        const AxisAttrs& a = {});
/// Riemannian gradient at x from the Euclidean gradient g.
Tensor lorentz_egrad2rgrad(const Tensor& x, const Tensor& g, const Tensor& c,
                           const AxisAttrs& a = {});
/// Geodesic distance between x and y (from x to the origin), and its square, smooth at x = y.
Tensor lorentz_dist(const Tensor& x, const Tensor& y, const Tensor& c, const AxisKeepAttrs& a = {});
Tensor lorentz_dist0(const Tensor& x, const Tensor& c, const AxisKeepAttrs& a = {});
Tensor lorentz_dist2(const Tensor& x, const Tensor& y, const Tensor& c,
                     const AxisKeepAttrs& a = {});
/// Inner product <u, v> and norm |v| of tangent vectors at x in the Riemannian metric.
Tensor lorentz_inner(const Tensor& x, const Tensor& u, const Tensor& v, const Tensor& c,
                     const AxisKeepAttrs& a = {});
Tensor lorentz_norm(const Tensor& x, const Tensor& v, const Tensor& c, const AxisKeepAttrs& a = {});
/// Isometries to the two balls; inverses: poincare_to_lorentz, klein_to_lorentz.
Tensor lorentz_to_poincare(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
Tensor lorentz_to_klein(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
/// Prepends the time coordinate: (t, x) with t = sqrt(1 / c + |x|^2); and removes it.
Tensor lorentz_with_time(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
Tensor lorentz_without_time(const Tensor& x, const AxisAttrs& a = {});

}  // namespace gyre
