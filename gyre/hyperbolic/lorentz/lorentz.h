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

#define GYRE_MODEL(name) lorentz_##name
#include "gyre/hyperbolic/model_functions.def"

/// Isometries to the two balls; inverses: poincare_to_lorentz, klein_to_lorentz.
Tensor lorentz_to_poincare(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
Tensor lorentz_to_klein(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
/// Prepends the time coordinate: (t, x) with t = sqrt(1 / c + |x|^2); and removes it.
Tensor lorentz_with_time(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
Tensor lorentz_without_time(const Tensor& x, const AxisAttrs& a = {});

}  // namespace gyre
