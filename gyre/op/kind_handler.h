#pragma once
#include "gyre/base/function_ref.h"
#include "gyre/op/op_def.h"
#include "gyre/tensor/kind.h"

// Calls with operands that are not plain: each kind has one handler, which turns such a call into
// calls on other operands.

namespace gyre {

/// A call with at least one operand of the handler's kind and none of a higher one.
struct KindCall {
  const OpDef& op;
  Inputs in;
  const Attrs& attrs;
  Device device;
  bool keep_hidden;  ///< also the results that only backward needs
};

/// Runs the call; the results as apply() gives them, recorded when gradients are.
using KindHandler = Tensors (*)(const KindCall& call);

/// Sets the handler of a kind. The highest kind among the operands decides, so a handler also sees
/// operands of lower kinds. Calls of a kind without a handler are Error{unsupported}. Error{value}
/// for `plain`, for a number out of range, and when the kind has another handler.
void set_kind_handler(TensorKind kind, KindHandler handler);

/// For kinds that wrap tensors. An op composed of other ops runs as those ops. For any other op,
/// `run` computes all outputs, and the call is recorded as one node with the original operands as
/// inputs. `run` gets the shapes and dtypes of the results; the list is empty if they depend on
/// values.
Tensors run_as_recorded(const KindCall& call, FunctionRef<Tensors(std::span<const Meta>)> run);

}  // namespace gyre
