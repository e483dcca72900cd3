#pragma once
#include "gyre/tensor/tensor.h"

// Casting or moving a module gives it other tensors; who holds the earlier ones can look them up.

namespace gyre {

/// Records that a module has `now` in place of `old`. While `old` lives, `now` does too.
void note_replaced(const Tensor& old, const Tensor& now);

/// The tensor that took the place of t, after the last of several replacements; t itself if none
/// did.
Tensor newest(const Tensor& t);

/// Of the destructor of a tensor with `in_line`.
void leave_line(const TensorImpl& t) noexcept;

}  // namespace gyre
