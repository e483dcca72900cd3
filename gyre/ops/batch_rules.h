#pragma once
#include "gyre/op/batching.h"

// Rules for OpDef::batch, by kind of op. Each runs the op once, on operands that carry the batch as
// axis 0.

namespace gyre {

/// Ops whose operands broadcast against each other.
Tensors batch_pointwise(const BatchedCall& call);
/// Ops that leave leading axes alone whatever their number.
Tensors batch_leading(const BatchedCall& call);
/// Ops with the attributes `axes` (all when empty) and `keepdim`.
Tensors batch_reduction(const BatchedCall& call);
/// The row family: rows that broadcast against each other, then numbers of each row.
Tensors batch_rowwise(const BatchedCall& call);
/// Ops whose integer attributes named axis, axis0, axis1 count the axes of every operand.
Tensors batch_along_axes(const BatchedCall& call);
/// The same where operand 1 holds positions along the axis: only while it is the same for all.
Tensors batch_along_axes_of_values(const BatchedCall& call);
/// Views that give the elements in order another shape.
Tensors batch_reshape(const BatchedCall& call);

/// Operand i with the batch as axis 0, repeated if it is the same for all slices, and axes of size
/// 1 after it so that a slice has at least `rank`.
Tensor with_batch(const BatchedCall& call, size_t i, int rank = 0);
/// [size, shape...].
Shape batch_shape(int64_t size, const Shape& shape);

}  // namespace gyre
