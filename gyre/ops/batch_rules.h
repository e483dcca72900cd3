#pragma once
#include "gyre/op/batching.h"

// Batching rules (OpDef::batch) of vmap by kind of op. Each runs the op once on operands that carry
// the batch as axis 0.

namespace gyre {

/// Ops whose operands broadcast against each other.
Tensors batch_pointwise(const BatchedCall& call);
/// Ops that treat any number of leading axes as batch axes.
Tensors batch_leading(const BatchedCall& call);
/// Ops with the attributes `axes` (all when empty) and `keepdim`.
Tensors batch_reduction(const BatchedCall& call);
/// The rowwise family: rows that broadcast against each other, then per-row numbers.
Tensors batch_rowwise(const BatchedCall& call);
/// Ops whose attributes axis, axis0, axis1 refer to every operand.
Tensors batch_along_axes(const BatchedCall& call);
/// The same for operand 1 holding indices along the axis: only if it is not batched.
Tensors batch_along_axes_of_values(const BatchedCall& call);
/// Views that reshape the elements in row-major order.
Tensors batch_reshape(const BatchedCall& call);

/// Operand i with the batch as axis 0, expanded if unbatched, and axes of size 1 inserted after it
/// so that a slice has at least rank `rank`.
Tensor with_batch(const BatchedCall& call, size_t i, int rank = 0);

}  // namespace gyre
