#pragma once
#include "gyre/tensor/tensor.h"

namespace gyre {

/// True when nobody but the caller's `handles` can see the elements of t, and they are all that its
/// storage holds, in order: memory that may be overwritten. Never so for borrowed memory.
bool is_sole_owner(const Tensor& t, uint32_t handles = 1);

/// A cotangent as the value it belongs to has it: summed over the axes along which that value was
/// broadcast, and cast to its dtype.
Tensor conform(Tensor cotangent, const Meta& value);

/// Adds a cotangent to what has arrived before. Writes into a buffer that nobody else holds, unless
/// the sum has to be recorded.
void add_cotangent(Tensor& sum, Tensor cotangent);

/// Adds the gradient of one backward pass to leaf.grad. The leaf then owns the buffer: contiguous
/// and shared with nothing. When the calling thread records, the sum has a history and may be
/// shared.
void add_to_leaf(TensorImpl& leaf, Tensor gradient);

/// A tensor of that shape, dtype and device filled with `value`.
Tensor filled(const Meta& meta, double value);

}  // namespace gyre
