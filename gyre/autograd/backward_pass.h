#pragma once
#include "gyre/op/node.h"

namespace gyre {

// One traversal of the graph. First every node within reach of the roots counts its consumers; a
// node runs when all its cotangents have arrived, the most recently recorded ready node first. Sums
// are therefore taken in reverse order of recording, each needs one buffer, and the newest saved
// tensors are freed first. The pass is recorded if grad is enabled on the calling thread.
//
// `seeds[i]` is the cotangent of `roots[i]`, of the same shape and dtype. Error{value}, with
// nothing changed, if part of the graph was freed by an earlier pass. Later errors (rules, hooks,
// memory) leave the graph partly freed.

/// Accumulates gradients into every leaf that the roots depend on.
void pass_into_leaves(Inputs roots, Inputs seeds, bool retain_graph);

/// Gradients with respect to `wrt`; `grad` of leaves is unchanged. Zeros where the derivative is
/// identically zero. For an input that the roots do not depend on: empty if `allow_unused`, else
/// Error{value} with nothing changed.
Tensors pass_towards(Inputs wrt, Inputs roots, Inputs seeds, bool retain_graph, bool allow_unused);

/// Unique number of the innermost pass that runs on this thread; 0 for none.
uint64_t running_pass() noexcept;
/// Registers source.pass_over() to be called when the running pass ends, even by an error.
void at_end_of_pass(SavedSource& source);
/// Unregisters it.
void not_at_end_of_pass(const SavedSource& source) noexcept;

}  // namespace gyre
