#pragma once
#include "gyre/tensor/tensor.h"

namespace gyre {

/// Matrix product as numpy.matmul: [..., m, k] times [..., k, n] with broadcast batches; a vector
/// is a row on the left and a column on the right, and its axis is removed from the result. f16 and
/// bf16 are summed in f32; boolean and integers give i64. Error{shape} when the inner sizes differ.
Tensor matmul(const Tensor& x, const Tensor& y);

/// Linear layer x W^T + bias for x [..., in], weight [out, in] and an optional bias [out]; dtypes
/// as in matmul.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

/// Outer product x_i y_j of vectors x [m] and y [n], in their promoted dtype. Error{shape} for
/// other ranks.
Tensor outer(const Tensor& x, const Tensor& y);

}  // namespace gyre
