#pragma once
#include "gyre/op/op_def.h"

// The pointwise family: one driver for all elementwise ops with one result. It handles strides,
// broadcasting, 16-bit types, masks and threads; the op provides tiles.

namespace gyre {

/// Broadcast shape and promoted dtype by the op's PointwiseSpec. Error{shape, dtype}.
void pointwise_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out);

Status pointwise_kernel(const OpDef& op, const KernelArgs& args) noexcept;

/// First-order gradient by the gradient tile: one pass gives the gradients of all wanted inputs, in
/// the broadcast shape.
Tensors pointwise_vjp_first(const VjpArgs& args);

}  // namespace gyre
