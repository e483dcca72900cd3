#pragma once
#include "gyre/tensor/tensor.h"

namespace gyre {

/// Overwrites the last n tokens of each row of caches [rows, heads, capacity, width]:
/// cache[r, h, lengths[r] - n + t] = x[r, h, t] for x [rows, heads, n, width] of `tokens`, one for
/// each cache, and `lengths` [rows], i32 or i64. Not recorded for gradients. Error{shape, dtype};
/// Error{index} for a length below n or above the capacity. On error nothing is written.
void write_tokens(Inputs caches, const Tensor& lengths, Inputs tokens);

}  // namespace gyre
