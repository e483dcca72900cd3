#pragma once
#include <algorithm>

#include "gyre/op/op_def.h"

// How scaled_dot_product_attention is computed: loops over blocks of scores, forward and for the
// first-order gradient, and a composition.

namespace gyre {

/// The dtype of scores and hidden results for operands of a dtype.
inline DType working_dtype(DType d) { return d == DType::f64 ? DType::f64 : DType::f32; }

/// The axes before the heads: one item for each sequence.
inline Shape sequences_of(const Shape& q) {
  Shape s = q;
  s.rank = std::max(q.rank - 3, 0);
  return s;
}

Status attention_kernel(const OpDef& op, const KernelArgs& args) noexcept;
size_t attention_scratch(const void* attrs, Inputs in);
Tensors attention_vjp(const VjpArgs& args);
/// The op as a composition: its attributes and operands.
Tensors attention_compose(const OpDef& op, const void* attrs, Inputs in);

}  // namespace gyre
