#pragma once
#include <cstddef>
#include <cstdint>

#include "gyre/base/function_ref.h"

namespace gyre {

/// A loop body: called with the half-open range [begin, end) of one chunk.
using Range = FunctionRef<void(int64_t begin, int64_t end)>;

/// Runs `body` over [0, n) in chunks of exactly `grain` elements (the last may be shorter; a grain
/// below 1 counts as 1) on the threads of the one pool of the process, and returns when all have
/// run.
///
/// Chunks depend on `n` and `grain` only, never on the number of threads; which thread runs which
/// chunk, and in which order, is open. One thread runs them in ascending order.
/// Calls from inside a body, and calls while another user thread has the pool, run in line on the
/// calling thread, chunk by chunk. If bodies throw, chunks not yet begun are dropped and the first
/// exception is rethrown here. A body must not call fork(). The pool starts on first use and again
/// in a forked child; without memory for it, or for more threads, the threads there are do the
/// work.
void parallel_for(int64_t n, int64_t grain, Range body);

/// Threads that parallel_for may use, the calling one included; at least 1.
/// At start: GYRE_THREADS if that is a decimal number from 1 to kMaxThreads (anything else is
/// ignored), otherwise the number of CPUs this process may run on.
int num_threads();

/// Sets num_threads() from the next parallel_for on; n < 1 restores the value at start, larger than
/// kMaxThreads means kMaxThreads.
void set_num_threads(int n);

inline constexpr int kMaxThreads = 256;

/// What loops that several threads shared have taken, in nanoseconds; loops of one chunk or of one
/// thread are not among them.
struct PoolTime {
  int64_t wall = 0;  ///< of the threads that called parallel_for
  int64_t busy = 0;  ///< in bodies, summed over the threads that ran them
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
/// The time since the process began in which a PoolClock was there.
PoolTime pool_time() noexcept;

/// As long as there is one, pool_time() counts: two more clock readings a thread and loop.
class PoolClock {
 public:
  PoolClock() noexcept;
  PoolClock(const PoolClock&) = delete;
  PoolClock& operator=(const PoolClock&) = delete;
  ~PoolClock();
};

/// Working memory of the calling thread: at least `bytes`, on a 64-byte boundary, contents
/// unspecified, valid until this thread's next call. For leaves only: whoever holds it must not
/// call code that asks for it too. Grows to the largest request seen (meant for tiles of at most
/// about 1 MiB) and is freed with the thread. Error{resource} when it cannot grow.
std::byte* thread_scratch(size_t bytes);

}  // namespace gyre
