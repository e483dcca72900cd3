#pragma once
#include "gyre/op/node.h"

namespace gyre {

/// Runs the reverse rule of one recorded call: cotangents of its outputs (empty where none arrived)
/// to those of its inputs, which may have the broadcast shape or the promoted dtype; empty where
/// not wanted or zero. A differentiable rule is taken when the thread records, else the fastest
/// one. Errors: those of unpacking and of the rule; unsupported when there is no rule of that
/// order.
Tensors node_vjp(const Ref<Node>& node, Inputs cotangents, std::span<const bool> wanted);

}  // namespace gyre
