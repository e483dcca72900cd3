#pragma once
#include "gyre/op/op_def.h"

// The rowwise family: ops over one axis whose results depend on the row's maximum and sums. The
// attributes of a row op start with `int64_t axis`, optionally followed by `bool keepdim` for
// per-row results. One driver handles axes, strides, broadcasting, dtypes and threads.

namespace gyre {

/// The common shape and dtype of the row inputs of a call.
struct RowSpace {
  Shape shape;
  DType dtype;
};
/// Error{shape} if they do not broadcast together.
RowSpace row_space(const OpDef& op, Inputs in);

/// Row inputs broadcast together; per-row inputs broadcast to that shape without the axis. An
/// optional input that is absent is 0 or 1 everywhere (RowSpec::absent_ones). Row
/// outputs have the common shape and dtype, per-row outputs lack the axis (size 1 with keepdim),
/// hidden outputs (anchor, sums) are f64 without the axis. Error{shape, dtype, index}.
void rowwise_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out);

Status rowwise_kernel(const OpDef& op, const KernelArgs& args) noexcept;

/// First-order gradient by the gradient stages. Gradients of inputs shared by all rows are summed
/// here in fixed chunks of rows.
Tensors rowwise_vjp_first(const VjpArgs& args);

}  // namespace gyre
