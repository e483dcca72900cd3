#pragma once
#include "gyre/op/op_def.h"

namespace gyre {

/// scaled_dot_product_attention as a composition: the attributes and operands of the op.
Tensors attention_compose(const OpDef& op, const void* attrs, Inputs in);

}  // namespace gyre
