#pragma once
#include "gyre/op/batching.h"

// Factors of products of matrices, for gradients and batching rules.

namespace gyre {

/// A vector as a row, or as a column; other tensors as they are.
Tensor as_matrix(const Tensor& t, bool as_column);

/// Operand i of a slice as a matrix, operand 0 a row and others a column if they are vectors; with
/// its batch if it has one, followed by axes of size 1 so that a slice has `rank` axes.
Tensor matrix_of_batch(const BatchedCall& call, size_t i, int rank);

}  // namespace gyre
