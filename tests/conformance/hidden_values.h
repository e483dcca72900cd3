#pragma once
#include "gyre/base/error.h"
#include "gyre/op/op_def.h"

// Ops on operands whose values cannot be read: slices of a batch inside vmap(), counted tensors.

namespace gyre::conformance {

/// Whether the shape of a result depends on values, at least for some samples of the op, or all
/// values are read for results that are packed weights.
bool is_shaped_by_values(const OpDef& op);

/// Whether `e` is the error of such an op for operands with hidden values.
bool refuses_hidden_values(const OpDef& op, const Error& e);

}  // namespace gyre::conformance
