#pragma once
#include "gyre/op/samples.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/shape/shape.h"

// What the reverse rules of decompositions are written with, and matrices for their samples.

namespace gyre {

/// 16-bit tensors in f32, in which reverse rules of several steps are computed.
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

/// A constant [rows, columns] of x's dtype: these values below, on and above the diagonal of its
/// last two axes.
Tensor mask_like(const Tensor& x, double below, double on, double above);
/// The identity, of the size of x's rows and in its dtype.
inline Tensor identity_like(const Tensor& x) { return mask_like(x, 0, 1, 0); }

/// Matrices for samples: random numbers, on whose diagonal `first`, first + step, ... is added, so
/// that they and what differences make of them are regular with singular values apart.
Tensor well_conditioned(Samples& s, const Shape& shape, double first = 3, double step = 1.5);

}  // namespace gyre
