#pragma once
#include "gyre/tensor/tensor.h"

namespace gyre {

/// The row-major positions of the nonzero elements of x, in order: [count] i64. Reads x once more
/// than needed to count, but for parts without nonzero elements; the count is the only number that
/// the host reads. Not recorded. Error{unsupported} naming nonzero inside vmap() over x.
Tensor nonzero_positions(const Tensor& x);

}  // namespace gyre
