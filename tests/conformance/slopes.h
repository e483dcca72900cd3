#pragma once
#include "tests/conformance/calls.h"
#include "tests/conformance/values.h"

// Derivatives of an op's results.

namespace gyre::conformance {

/// Uniform in +-[0.5, 1.5), deterministic. Valid until the next call.
const Values& weights(size_t n, uint64_t stream);

/// Copies of the operands as leaves, with their layout kept; the smooth ones require gradients.
Tensors leaves_of(const OpDef& op, const Tensors& in);

/// Gradients with respect to the smooth operands, and their second derivatives; entry i belongs to
/// operand i.
struct Slopes {
  Tensors first, second;
  Tensors results;
};
/// Of the results weighted by weights(); second derivatives, of the weighted gradients, if `twice`.
Slopes slopes_of(const OpDef& op, const Tensors& in, const Attrs& attrs, Order order, bool twice);

}  // namespace gyre::conformance
