#pragma once
#include "gyre/op/node.h"

namespace gyre {

// One walk over the tape. Nodes first count their consumers within reach of the roots; a node runs
// when all its cotangents have arrived, the latest recorded of the ready ones first. So sums are
// taken in reverse tape order whatever the graph looks like, each sum needs one buffer, and what
// forward kept last is freed first. Whether the walk is recorded is up to the calling thread
// (grad_enabled).
//
// `seeds[i]` is the cotangent of `roots[i]`, of the same shape and dtype. Error{value} before
// anything has changed when a part of the graph was freed by an earlier pass. Later errors (rules,
// hooks, memory) leave the graph partly freed.

/// Adds gradients into every leaf that the roots depend on.
void pass_into_leaves(Inputs roots, Inputs seeds, bool retain_graph);

/// Gradients of `wrt`; leaves keep theirs. Zeros where the roots depend on it without slope. Where
/// they do not depend on it: empty if `allow_unused`, else Error{value} before anything has
/// changed.
Tensors pass_towards(Inputs wrt, Inputs roots, Inputs seeds, bool retain_graph, bool allow_unused);

/// The pass that runs on this thread, of nested ones the innermost; 0 for none. No two have one
/// number.
uint64_t running_pass() noexcept;
/// Has the running pass call source.pass_over() at its end, however it ends.
void at_end_of_pass(SavedSource& source);
/// Takes that back.
void not_at_end_of_pass(const SavedSource& source) noexcept;

}  // namespace gyre
