#pragma once
#include "gyre/ops/norm/norm.h"

// What follows the product of a layer that works in the tangent space at the origin, as one row
// kernel each way. Rows and c > 0 are as in ball.h; results are drawn inside as by
// poincare_project. Relative error in f32 up to distance 14 from the origin: at most 1e-6, of
// gradients 5e-6 where the bias leads further out; 5e-3 where it leads back, for there terms larger
// by 1 / (1 - c|b|^2) cancel.

namespace gyre {

/// exp0(v) + b, Moebius, for tangent vectors v at the origin and points b (Ganea, Becigneul and
/// Hofmann 2018, eq. 28).
Tensor poincare_exp0_add(const Tensor& v, const Tensor& b, const Tensor& c,
                         const AxisAttrs& a = {});
/// exp0(v) + exp0(b), Moebius: the bias is a tangent vector, too (Chami et al. 2019, eq. 8).
Tensor poincare_exp0_add_exp0(const Tensor& v, const Tensor& b, const Tensor& c,
                              const AxisAttrs& a = {});

}  // namespace gyre
