#pragma once
#include <cstdint>

#include "bench/work.h"

namespace gyre::bench {

/// What the machine does at most at this moment, on all threads of the pool: flops (f32 multiply-
/// adds of the widest vectors, counted as two) or bytes a second with arrays of so many floats. The
/// best of a few tries and, for copies, of plain and streaming stores. 0 for none.
double rate_now(Limit limit, int64_t floats);

/// Flops or bytes of one operation of a work; those of limit_fma_f32 depend on machine and threads.
double amount_of(const Work& work);

}  // namespace gyre::bench
