#pragma once
#include "gyre/ops/norm/norm.h"

// Ways from point u to point v in the three models (ball.h, lorentz.h, klein.h), at t, one number a
// row: u where t = 0, v where t = 1. Operands, axis, gradients and errors as there.

namespace gyre {

/// The point at t on the geodesic: poincare_geodesic, lorentz_geodesic and klein_geodesic, with the
/// operands in the order of these functions' older callers.
Tensor poincare_ball_layer(const Tensor& u, const Tensor& v, const Tensor& c, const Tensor& t,
                           const AxisAttrs& a = {});
Tensor lorentz_layer(const Tensor& u, const Tensor& v, const Tensor& c, const Tensor& t,
                     const AxisAttrs& a = {});
Tensor klein_layer(const Tensor& u, const Tensor& v, const Tensor& c, const Tensor& t,
                   const AxisAttrs& a = {});

/// Gradients of <grad, layer(u, v, c, t)>, each like its operand; integers and numbers get theirs
/// as f32 and f64. Differentiable in turn.
struct LayerGradients {
  Tensor u, v, c, t;
};
LayerGradients poincare_ball_layer_backward(const Tensor& grad, const Tensor& u, const Tensor& v,
                                            const Tensor& c, const Tensor& t,
                                            const AxisAttrs& a = {});
LayerGradients lorentz_layer_backward(const Tensor& grad, const Tensor& u, const Tensor& v,
                                      const Tensor& c, const Tensor& t, const AxisAttrs& a = {});
LayerGradients klein_layer_backward(const Tensor& grad, const Tensor& u, const Tensor& v,
                                    const Tensor& c, const Tensor& t, const AxisAttrs& a = {});

/// ((1 - t) u) + (t v) by the model's sum and multiples (Ungar 2008): another way than the
/// geodesic's, since sums do not commute. Computed in f64.
Tensor poincare_gyro_lerp(const Tensor& u, const Tensor& v, const Tensor& t, const Tensor& c,
                          const AxisAttrs& a = {});
Tensor lorentz_gyro_lerp(const Tensor& u, const Tensor& v, const Tensor& t, const Tensor& c,
                         const AxisAttrs& a = {});
Tensor klein_gyro_lerp(const Tensor& u, const Tensor& v, const Tensor& t, const Tensor& c,
                       const AxisAttrs& a = {});

}  // namespace gyre
