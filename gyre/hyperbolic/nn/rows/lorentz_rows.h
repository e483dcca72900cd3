#pragma once
#include "gyre/ops/norm/norm.h"

// Row ops before and after the matrix product of the linear layer of Chen et al. 2022 ("Fully
// hyperbolic neural networks", section 3.1), one row kernel each. Points of the hyperboloid
// t^2 - |x|^2 = 1 / c are given by their space coordinates.

namespace gyre {

struct LorentzGates {
  Tensor space;       ///< x, for the matrix product
  Tensor time, gate;  ///< one number per row
};
/// gate = scale sigmoid(<v, x> + by_time time + bias); v is one vector, shared or per row;
/// by_time, bias and scale are numbers, shared or per row.
LorentzGates lorentz_gate(const Tensor& x, const Tensor& v, const Tensor& by_time,
                          const Tensor& bias, const Tensor& scale, const Tensor& c,
                          const AxisAttrs& a = {});
/// gate h / |h| for h = product + time w + b; 0 if h = 0.
Tensor lorentz_gated(const Tensor& product, const Tensor& w, const Tensor& b, const Tensor& time,
                     const Tensor& gate, const AxisAttrs& a = {});

}  // namespace gyre
