#pragma once
#include <cstddef>
#include <cstdint>

namespace gyre {

/// What the caching allocator of the CPU holds, in bytes. Small blocks, of up to 4 KiB, each thread
/// takes and keeps by itself (base/memory/small_blocks.h), which leaves nobody to see their peak: they
/// count in in_use and requests, and in peak by what they hold now; not in cached and from_system.
struct AllocatorStats {
  size_t in_use = 0;      ///< handed out now
  size_t peak = 0;        ///< most in large blocks at once since reset_peak(), and small ones now
  size_t cached = 0;      ///< kept for reuse
  uint64_t requests = 0;  ///< allocations asked for
  uint64_t from_system = 0;  ///< of these, how many went to the system
};

/// The caching allocator. Blocks start on 64 bytes, come in size classes (at most 1/8 is lost) and
/// are kept for reuse. Safe to use from several threads.
namespace allocator {

/// A block of at least `bytes`. When the system or the bound gives no more, Error{resource}; for a
/// large block the cache is emptied first and asked again. With GYRE_FAIL_ALLOC=n the n-th request
/// of the process fails.
void* allocate(size_t bytes);
void free(void* block, size_t bytes) noexcept;

AllocatorStats stats() noexcept;
/// Restarts `peak` from what is in use.
void reset_peak() noexcept;
/// Gives all kept blocks back to the system, of the small ones those of this thread.
void empty_cache() noexcept;
/// Upper bound on the bytes of large blocks, in use and cached; small ones do not count and are
/// never refused for it. 0 is none.
void set_limit(size_t bytes) noexcept;
/// Makes the n-th request from now fail (1 is the next, 0 none), as GYRE_FAIL_ALLOC does from
/// start.
void fail_request(uint64_t n) noexcept;

}  // namespace allocator
}  // namespace gyre
