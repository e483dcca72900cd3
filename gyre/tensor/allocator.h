#pragma once
#include <cstddef>
#include <cstdint>

namespace gyre {

/// Statistics of the CPU's caching allocator in bytes. Blocks of up to 4 KiB come from per-thread
/// free lists (base/memory/small_blocks.h), which record no peak: they count in in_use and
/// requests, and in peak by their current size; not in cached and from_system.
struct AllocatorStats {
  size_t in_use = 0;         ///< allocated now
  size_t peak = 0;           ///< maximum of large blocks since reset_peak(), plus small ones now
  size_t cached = 0;         ///< kept for reuse
  uint64_t requests = 0;     ///< number of allocations
  uint64_t from_system = 0;  ///< of these, served by the system and not by the cache
};

/// The caching allocator. Blocks are aligned to 64 bytes, come in size classes (at most 1/8 is
/// wasted) and are kept for reuse. Thread-safe.
namespace allocator {

/// A block of at least `bytes`. Error{resource} when the system or the limit allows no more; for a
/// large block the cache is emptied first and the request retried. With GYRE_FAIL_ALLOC=n the n-th
/// request of the process fails.
void* allocate(size_t bytes);
void free(void* block, size_t bytes) noexcept;

AllocatorStats stats() noexcept;
/// Sets `peak` to the bytes in use.
void reset_peak() noexcept;
/// Returns cached blocks to the system; of the small ones, those of this thread.
void empty_cache() noexcept;
/// Limit on the bytes of large blocks, in use and cached; small ones do not count and never fail
/// because of it. 0: no limit.
void set_limit(size_t bytes) noexcept;
/// Makes the n-th request from now fail (1: the next, 0: none), like GYRE_FAIL_ALLOC at start.
void fail_request(uint64_t n) noexcept;

}  // namespace allocator
}  // namespace gyre
