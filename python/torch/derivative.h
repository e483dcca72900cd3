#pragma once
#include <string>
#include <vector>

#include "gyre/autograd/vmap.h"
#include "gyre/op/op_def.h"

// A function of tensors and what transforms make of it as things of one kind, for whoever
// transforms with an engine of its own (PyTorch's) and asks gyre for one step at a time.

namespace gyre::python {

/// Marks inputs of a function: a '1' or '0' for each.
using Marks = std::string;

/// What a step makes of the function before it, which takes n inputs:
/// - reverse: takes these n inputs and a cotangent for each result (empty: zero) to the cotangents
///   of the inputs that are marked, in order (empty: zero);
/// - forward: takes them and a tangent for each marked input to the tangents of the results (empty
///   for one that is not floating);
/// - batch: takes inputs whose slices along `axes` (kSameForAll: none) are inputs to the results
///   with the slices counted by axis 0.
struct Step {
  enum Kind : uint8_t { reverse, forward, batch } kind;
  Marks marks;
  SmallVector<int64_t, 4> axes;
};

/// f after these steps, the first of which is done first. Results have a history when the thread
/// records and `in` or what f captures is tracked. Errors: those of f, grad(), jvp() and vmap().
Tensors transformed(TensorsFunction f, std::span<const Step> steps, Inputs in);

/// The cotangents that the rule of `op` gives, without running the op again where it has one: `in`
/// are its inputs, of which those that the rule does not read may have other values; `out` its
/// results with those that are kept for backward, empty where the rule does not read them. Nothing
/// is recorded.
Tensors reverse_of_op(const OpDef& op, const Attrs& attrs, Inputs in, Inputs out, Inputs cotangents,
                      const Marks& wanted);

/// Whose values a recorded computation keeps for its backward pass.
struct HiddenOutputs {
  std::vector<bool> in, out;
  bool others = false;  ///< values that are neither
};
/// Walks from the results `out` to what they were computed from; memory is compared, so that a view
/// counts as what it is a view of.
HiddenOutputs kept_values(Inputs in, Inputs out);

}  // namespace gyre::python
