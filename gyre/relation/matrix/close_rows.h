#pragma once
#include "gyre/relation/fixpoint_limits.h"
#include "gyre/relation/storage/bit_matrix.h"

namespace gyre {

/// Adds to each row of `rows` the rows that it reaches by the edges `steps`: steps* · rows, in one
/// pass over the strongly connected components of the steps. Returns the number of new bits; stops
/// early when they are more than the meter allows, which the caller must report to it.
int64_t close_rows(const SparseRows& steps, BitMatrix& rows, FixpointMeter& meter);

}  // namespace gyre
