#pragma once
#include "gyre/hyperbolic/ball/ball.h"

// The Klein ball of curvature -c, c > 0: points x are rows with c|x|^2 < 1, geodesics are straight.
// Operands, axis, gradients, points outside and errors as in ball.h; a number c must be
// above 0.

namespace gyre {

#define GYRE_MODEL(name) klein_##name
#include "gyre/hyperbolic/model_functions.def"

/// Inverse of transport0: parallel transport of v from x to the origin.
Tensor klein_untransport0(const Tensor& x, const Tensor& v, const Tensor& c,
                          const AxisAttrs& a = {});
/// As poincare_project.
Tensor klein_project(const Tensor& x, const Tensor& c, const ProjectAttrs& a = {});
/// Isometries to the other two models.
Tensor klein_to_poincare(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
Tensor klein_to_lorentz(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});

}  // namespace gyre
