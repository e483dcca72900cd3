#pragma once
#include "gyre/tensor/tensor.h"

// Casting or moving a module creates new tensors. An optimiser that holds the old ones finds them.

namespace gyre {

/// Records that a module has `now` in place of `old`. While `old` lives, `now` does too.
void note_replaced(const Tensor& old, const Tensor& now);

/// The tensor that replaced t, the last one if it was replaced repeatedly; t itself if it was not
/// replaced.
Tensor newest(const Tensor& t);

/// Of the destructor of a tensor with `in_succession`.
void leave_succession(const TensorImpl& t) noexcept;

}  // namespace gyre
