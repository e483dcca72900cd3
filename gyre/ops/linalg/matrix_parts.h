#pragma once
#include <limits>

#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/shape/shape.h"

// Building blocks of the gradients of decompositions, and matrices for their samples.

namespace gyre {

/// Casts 16-bit tensors to f32, in which multi-step gradients are computed.
inline Tensor wide(const Tensor& x) {
  return x.defined() && size_of(x.dtype()) == 2 ? to(x, DType::f32) : x;
}
inline Tensor transposed(const Tensor& x) { return transpose(x, -2, -1); }
/// (x + x^T) / 2
inline Tensor symmetric_part(const Tensor& x) { return (x + transposed(x)) * Tensor(0.5); }
/// x diag(s)
inline Tensor scale_columns(const Tensor& x, const Tensor& s) { return x * unsqueeze(s, -2); }
/// diag(s) x
inline Tensor scale_rows(const Tensor& s, const Tensor& x) { return unsqueeze(s, -1) * x; }

/// The distance from 1 to the next number in the dtype that x is computed in.
inline double epsilon_of(const Tensor& x) {
  return x.dtype() == DType::f64 ? std::numeric_limits<double>::epsilon()
                                 : std::numeric_limits<float>::epsilon();
}

/// A constant matrix of x's dtype and last two axes with these values below, on and above the
/// diagonal.
Tensor mask_like(const Tensor& x, double below, double on, double above);
/// The identity matrix with x's number of rows and dtype.
inline Tensor identity_like(const Tensor& x) {
  return eye(x.size(-2), x.size(-1), {.dtype = x.dtype(), .device = x.device()});
}

/// Sample matrices: random numbers plus first, first + step, ... on the diagonal, so that they and
/// their perturbations in finite differences are regular with distinct singular values.
Tensor well_conditioned(Samples& s, const Shape& shape, double first = 3, double step = 1.5);

}  // namespace gyre
