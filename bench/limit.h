#pragma once
#include <cstdint>

#include "bench/work.h"

namespace gyre::bench {

/// The machine's limit at this moment, on all threads of the pool: FLOP/s (f32 multiply-adds of the
/// widest vectors, counted as two) or bytes per second with arrays of `floats` floats. The best of
/// a few tries and, for copies, of plain and streaming stores. 0 for Limit::none.
double rate_now(Limit limit, int64_t floats);

/// Flops or bytes of one operation of a work; those of limit_fma_f32 depend on machine and threads.
double amount_of(const Work& work);

}  // namespace gyre::bench
