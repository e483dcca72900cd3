#pragma once
#include <string>
#include <vector>

#include "gyre/autograd/transform.h"
#include "gyre/op/op_def.h"

// A function of tensors and its derivatives of every order as things of one kind, for whoever
// differentiates with an engine of its own (PyTorch's) and asks gyre for one step at a time.

namespace gyre::python {

/// Which inputs of a function a cotangent is asked for: a '1' or '0' for each.
using Wanted = std::string;

/// With no `wanted`, f(in). Each entry makes of the function before it, which takes as many inputs
/// as the entry has letters, the one that takes these and a cotangent for each of its results
/// (empty: zero) to the cotangents of the inputs that are wanted, in order (empty: zero). Results
/// have a history when the thread records and `in` or what f captures is tracked. Errors: those of
/// f and grad().
Tensors derivative(TensorsFunction f, std::span<const Wanted> wanted, Inputs in);

/// The cotangents that the rule of `op` gives, without running the op again where it has one: `in`
/// are its inputs, of which those that the rule does not read may have other values; `out` its
/// results with those that are kept for backward, empty where the rule does not read them. Nothing
/// is recorded.
Tensors reverse_of_op(const OpDef& op, const Attrs& attrs, Inputs in, Inputs out,
                      Inputs cotangents, const Wanted& wanted);

/// Whose values a recorded computation keeps for its backward pass.
struct Kept {
  std::vector<bool> in, out;
  bool others = false;  ///< values that are neither
};
/// Walks from the results `out` to what they were computed from; memory is compared, so that a view
/// counts as what it is a view of.
Kept kept_values(Inputs in, Inputs out);

}  // namespace gyre::python
