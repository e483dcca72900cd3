#pragma once
#include "gyre/ops/norm/norm.h"

// Row ops after the matrix product of layers in the tangent space at the origin, one row kernel
// forward and backward. Rows and c > 0 as in ball.h; results are projected into the ball as by
// poincare_project. Relative error in f32 up to distance 14 from the origin: at most 1e-6; of
// gradients 5e-6 if the bias moves points away from the origin, 5e-3 if towards it, where terms
// larger by 1 / (1 - c|b|^2) cancel.

namespace gyre {

/// Möbius bias exp0(v) ⊕ b for tangent vectors v at the origin and points b (Ganea, Bécigneul and
/// Hofmann 2018, eq. 28).
Tensor poincare_exp0_add(const Tensor& v, const Tensor& b, const Tensor& c,
                         const AxisAttrs& a = {});
/// Möbius bias exp0(v) ⊕ exp0(b): the bias is a tangent vector as well (Chami et al. 2019, eq. 8).
Tensor poincare_exp0_add_exp0(const Tensor& v, const Tensor& b, const Tensor& c,
                              const AxisAttrs& a = {});

}  // namespace gyre
