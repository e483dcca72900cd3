#pragma once
#include <string>
#include <vector>

#include "gyre/autograd/vmap.h"
#include "gyre/op/op_def.h"

// Functions of tensors and their transforms under a single interface, for an external autograd
// engine (PyTorch's) that requests one derivative at a time.

namespace gyre::python {

/// Marks inputs of a function: '1' or '0' for each.
using Marks = std::string;

/// A transform of a function with n inputs:
/// - reverse (VJP): maps the n inputs and a cotangent for each result (undefined: zero) to the
/// cotangents of the marked inputs, in order (undefined: zero);
/// - forward (JVP): maps the inputs and a tangent for each marked input to the tangents of the
/// results (undefined for results that are not floating point);
/// - batch (vmap): maps inputs batched along `axes` (kSameForAll: not batched) to results batched
/// along axis 0.
struct Step {
  enum Kind : uint8_t { reverse, forward, batch } kind;
  Marks marks;
  SmallVector<int64_t, 4> axes;
};

/// Evaluates f after these transforms, applied first to last. Results are tracked if the thread
/// records and `in` or tensors captured by f are tracked. Errors: those of f, grad(), jvp() and
/// vmap().
Tensors transformed(TensorsFunction f, std::span<const Step> steps, Inputs in);

/// The cotangents from the backward rule of `op`, without recomputing the op if it has a rule. `in`
/// are its inputs, where those that the rule does not read may have other values; `out` are its
/// results including those saved for backward, undefined where the rule does not read them. Nothing
/// is recorded.
Tensors reverse_of_op(const OpDef& op, const Attrs& attrs, Inputs in, Inputs out, Inputs cotangents,
                      const Marks& wanted);

/// Which tensors a recorded computation saves for backward.
struct HiddenOutputs {
  std::vector<bool> in, out;
  bool others = false;  ///< values that are neither
};
/// Walks from the results `out` back to their inputs. Compares storage, so a view counts as its
/// base.
HiddenOutputs kept_values(Inputs in, Inputs out);

}  // namespace gyre::python
