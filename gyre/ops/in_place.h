#pragma once
#include "gyre/op/apply.h"

// Ops that write into their first operand, and so into everything that shares its storage. The
// storage's version goes up, by which backward notices that a value it needs is gone. Refused with
// Error{value} while gradients are recorded: leaves that require one, views of tracked tensors, and
// tracked values for an untracked tensor with views. A tensor with a history whose memory was
// written through another one while gradients were recorded is outdated: recorded ops and backward
// refuse it. Under NoGrad histories stay as they are.

namespace gyre {

/// Sets in[0] to the result of an op of one output on `in`, which then has the history of that
/// call. Where memory and dtypes allow, nothing is allocated. Errors: those of the op; shape when
/// in[0] would have to grow, dtype when it cannot hold such results (floats in integers, numbers in
/// booleans) or would round them while gradients are recorded, value as above, unsupported for ops
/// of several outputs and compositions.
const Tensor& apply_in_place(const OpDef& op, Inputs in, const Attrs& attrs = {});

/// Error{unsupported} naming the op and the kind when one of them is not plain.
void require_plain(Inputs in, const char* op);
/// Throws the Error{value} that an op in place owes for x, naming the op; `gains_history` when the
/// new values depend on tracked tensors. For writers of such ops.
void check_in_place(const Tensor& x, bool gains_history, const char* op);
/// Whether some byte may belong to both.
bool may_share_memory(const Tensor& a, const Tensor& b);
/// Notes that the elements of x were overwritten.
void bump_version(const Tensor& x) noexcept;
/// x has the history of `from` now (none when empty), and what shares its memory an outdated one.
void take_history(const Tensor& x, const Tensor& from);

}  // namespace gyre
