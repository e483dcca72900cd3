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

#define GYRE_MODEL(name) poincare_##name
#include "gyre/hyperbolic/model_functions.def"

/// Projects x into the ball: clips its norm to 1 - margin of the radius. 16-bit dtypes round the
/// result to the boundary unless margin is at least kGeooptMargin. Error{value} unless 0 < margin <
/// 1.
Tensor poincare_project(const Tensor& x, const Tensor& c, const ProjectAttrs& a = {});
/// Conformal factor lambda_x = 2 / (1 - c|x|^2).
Tensor poincare_lambda(const Tensor& x, const Tensor& c, const AxisKeepAttrs& a = {});
/// Isometries to the other two models, c > 0.
Tensor poincare_to_lorentz(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});
Tensor poincare_to_klein(const Tensor& x, const Tensor& c, const AxisAttrs& a = {});

}  // namespace gyre
