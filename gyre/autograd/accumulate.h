#pragma once
#include "gyre/tensor/tensor.h"

namespace gyre {

/// True when only the caller's `handles` refer to the storage of t and t covers all of it, in
/// order: the memory may be overwritten. False for borrowed memory.
bool is_sole_owner(const Tensor& t, uint32_t handles = 1);

/// Reduces a cotangent to the shape and dtype of its value: summed over the broadcast axes, then
/// cast.
Tensor conform(Tensor cotangent, const Meta& value);

/// Adds `cotangent` to `sum`, in place if nobody else holds the buffer and the sum need not be
/// recorded.
void add_cotangent(Tensor& sum, Tensor cotangent);

/// Adds the gradient of one backward pass to leaf.grad: in place, so that handles of it follow,
/// unless it has a history, the calling thread records, the memory is borrowed, or the leaf has
/// hooks that another thread may be running.
void add_to_leaf(TensorImpl& leaf, Tensor gradient);

/// A tensor of shape, dtype and device `meta`, filled with `value`.
Tensor filled(const Meta& meta, double value);

}  // namespace gyre
