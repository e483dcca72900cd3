#pragma once
#include <cstddef>
#include <cstdint>

#include "gyre/base/function_ref.h"

namespace gyre {

/// A loop body: called with the half-open range [begin, end) of one chunk.
using Range = FunctionRef<void(int64_t begin, int64_t end)>;

/// Runs `body` over [0, n) in chunks of exactly `grain` elements (the last may be shorter; a grain
/// below 1 counts as 1) on the threads of the process-wide pool, and returns when all are done.
///
/// Chunks depend on `n` and `grain` only, never on the number of threads; the order of chunks and
/// their threads are unspecified. A single thread runs them in ascending order. Calls from inside a
/// body, and calls while another user thread uses the pool, run serially on the calling thread,
/// chunk by chunk. If a body throws, chunks not yet started are skipped and the first exception is
/// rethrown here. A body must not call fork(). The pool starts on first use and again in a forked
/// child; if memory or threads cannot be obtained, the existing threads do the work.
void parallel_for(int64_t n, int64_t grain, Range body);

/// Maximum number of threads of parallel_for, including the calling one; at least 1. Initially
/// GYRE_THREADS if that is set and not empty, otherwise the number of CPUs this process may run on.
/// Throws at every call, as parallel_for does, Error{value} for a GYRE_THREADS that is no whole
/// number from 1 to kMaxThreads; isa(), which all calls of kernels begin with, throws it, too.
int num_threads();

/// Sets num_threads() from the next parallel_for on; 0 restores the initial value (and throws as
/// num_threads() does). Error{value} unless 0 <= n <= kMaxThreads.
void set_num_threads(int n);

inline constexpr int kMaxThreads = 256;

/// Time spent in parallel_for in nanoseconds, except in loops of one chunk or one thread.
struct PoolTime {
  int64_t wall = 0;  ///< of the threads that called parallel_for
  int64_t busy = 0;  ///< in bodies, summed over threads
  PoolTime& operator+=(const PoolTime& other) {
    wall += other.wall;
    busy += other.busy;
    return *this;
  }
  PoolTime& operator-=(const PoolTime& other) {
    wall -= other.wall;
    busy -= other.busy;
    return *this;
  }
};
/// Total time since process start during which a PoolClock existed.
PoolTime pool_time() noexcept;

/// While one exists, pool_time() is measured: two more clock readings per thread and loop.
class PoolClock {
 public:
  PoolClock() noexcept;
  PoolClock(const PoolClock&) = delete;
  PoolClock& operator=(const PoolClock&) = delete;
  ~PoolClock();
};

/// Scratch memory of the calling thread: at least `bytes`, aligned to 64 bytes, contents
/// unspecified, valid until this thread's next call. For leaf functions only: a holder must not
/// call code that uses it too. Grows to the largest request (meant for tiles of at most about 1
/// MiB) and is freed when the thread ends. Error{resource} when it cannot grow.
std::byte* thread_scratch(size_t bytes);

}  // namespace gyre
