#pragma once
#include "gyre/ops/norm/norm.h"

// Interpolation between points u (t = 0) and v (t = 1) in the three models (ball.h, lorentz.h,
// klein.h); t is one number per row. Operands, axis, gradients and errors as there.

namespace gyre {

/// Point at t on the geodesic: aliases of poincare_geodesic, lorentz_geodesic and klein_geodesic
/// with another order of operands.
Tensor poincare_ball_layer(const Tensor& u, const Tensor& v, const Tensor& c, const Tensor& t,
                           const AxisAttrs& a = {});
Tensor lorentz_layer(const Tensor& u, const Tensor& v, const Tensor& c, const Tensor& t,
                     const AxisAttrs& a = {});
Tensor klein_layer(const Tensor& u, const Tensor& v, const Tensor& c, const Tensor& t,
                   const AxisAttrs& a = {});

/// Gradients of <grad, layer(u, v, c, t)> with the shape and dtype of each operand; f32 for
/// integers, f64 for numbers. Differentiable.
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

/// Gyrovector interpolation ((1 - t) ⊗ u) ⊕ (t ⊗ v) (Ungar 2008), which differs from the geodesic,
/// since ⊕ does not commute. Computed in f64.
Tensor poincare_gyro_lerp(const Tensor& u, const Tensor& v, const Tensor& t, const Tensor& c,
                          const AxisAttrs& a = {});
Tensor lorentz_gyro_lerp(const Tensor& u, const Tensor& v, const Tensor& t, const Tensor& c,
                         const AxisAttrs& a = {});
Tensor klein_gyro_lerp(const Tensor& u, const Tensor& v, const Tensor& t, const Tensor& c,
                       const AxisAttrs& a = {});

}  // namespace gyre
