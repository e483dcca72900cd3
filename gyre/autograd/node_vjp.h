#pragma once
#include "gyre/op/node.h"

namespace gyre {

/// Vector-Jacobian product of one node: maps cotangents of its outputs (empty where none arrived)
/// to cotangents of its inputs, which may still have the broadcast shape or promoted dtype; empty
/// where not wanted or zero. Uses a differentiable rule if the thread records, else the fastest
/// one. Errors: those of unpacking saved tensors and of the rule; unsupported if no rule of that
/// order exists.
Tensors node_vjp(const Ref<Node>& node, Inputs cotangents, std::span<const bool> wanted);

}  // namespace gyre
