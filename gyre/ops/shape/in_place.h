#pragma once
#include "gyre/tensor/tensor.h"

// Writes into a tensor that exists, and so into everything that shares its storage. The storage's
// version goes up, by which backward notices that a value it needs is gone. Refused with
// Error{value} while gradients are recorded: leaves that require one, views of tracked tensors, and
// tracked values for an untracked tensor with views. A tensor with a history whose memory was
// written through another one while gradients were recorded is outdated: recorded ops and backward
// refuse it. Under NoGrad histories stay as they are.

namespace gyre {

/// Sets the elements of x to those of `values`, which must broadcast to its shape and are cast to
/// its dtype. While gradients are recorded, x takes the history of `values` in place of its own.
/// Error{shape, device}.
const Tensor& copy_(const Tensor& x, const Tensor& values);

/// Sets every element. x, if tracked, becomes a constant.
const Tensor& fill_(const Tensor& x, double value);

/// Throws the Error{value} that an op in place owes for x, naming the op; `gains_history` when the
/// new values depend on tracked tensors. For writers of in-place ops.
void check_in_place(const Tensor& x, bool gains_history, const char* op);
/// Notes that the elements of x were overwritten.
void bump_version(const Tensor& x) noexcept;

}  // namespace gyre
