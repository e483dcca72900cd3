#pragma once
#include "gyre/op/apply.h"

// In-place ops: write() into their first operand, and so into every tensor that shares its storage.
// While gradients are recorded, the operand gets the history of the call, its base and the other
// views of that follow (op/view_history.h), and values that backward needs are copied before they
// are overwritten. Error{value} then for leaves that require grad and their views, and for views
// that do not know their base (made under NoGrad) or of tensors that are not contiguous. A tensor
// with a history whose memory was written through a tensor that is not one of its views is
// outdated: recorded ops and backward reject it. Under NoGrad histories are unchanged.

namespace gyre {

/// Sets in[0] to the result of an op with one output on `in`; in[0] then has the history of that
/// call. Allocates nothing where memory and dtypes allow, but for values that backward needs.
/// Errors: those of the op; shape if the result is larger than in[0]; dtype if in[0] cannot hold
/// the result (floats in integers, numbers in booleans) or would round it while gradients are
/// recorded; value as above; unsupported for ops with several outputs and compositions.
const Tensor& apply_in_place(const OpDef& op, Inputs in, const Attrs& attrs = {});

/// Throws the Error{value} of an in-place op on x, naming the op; `gains_history`: the new values
/// depend on tracked tensors. For authors of in-place ops.
void check_in_place(const Tensor& x, bool gains_history, const char* op);
/// The checks of an op without a gradient that copies `values` into parts of x: those, and
/// Error{value} while gradients are recorded for either.
void check_untracked_write(const Tensor& x, const Tensor& values, const char* op);
/// t, or a copy of it if it may share memory with x.
Tensor apart_from(const Tensor& x, const Tensor& t);
/// True if the two may share memory.
bool may_share_memory(const Tensor& a, const Tensor& b);
/// Gives x the history of `from` (none if empty) and marks tensors that share its memory as
/// outdated.
void take_history(const Tensor& x, const Tensor& from);
/// Writes `values`, of x's shape, dtype and device, to x, which gets the history of `history`.
void write_values(const Tensor& x, const Tensor& values, const Tensor& history);

}  // namespace gyre
