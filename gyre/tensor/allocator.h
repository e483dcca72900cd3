#pragma once
#include <cstddef>
#include <cstdint>

namespace gyre {

/// What the caching allocator of the CPU holds, in bytes. Blocks of up to 4 KiB are counted in in_use
/// and requests; threads keep freed ones for themselves (base/small_blocks.h).
struct AllocatorStats {
  size_t in_use = 0;         ///< handed out now
  size_t peak = 0;           ///< most handed out at once since reset_peak(), small ones as of now
  size_t cached = 0;         ///< kept for reuse
  uint64_t requests = 0;     ///< allocations asked for
  uint64_t from_system = 0;  ///< of these, how many went to the system
};

/// The caching allocator. Blocks start on 64 bytes, come in size classes (at most 1/8 is lost) and
/// are kept for reuse. Safe to use from several threads.
namespace allocator {

/// A block of at least `bytes`. When the system or the bound gives no more, the cache is emptied and
/// asked again; then Error{resource}. With GYRE_FAIL_ALLOC=n the n-th request of the process fails.
void* allocate(size_t bytes);
void free(void* block, size_t bytes) noexcept;

AllocatorStats stats() noexcept;
/// Restarts `peak` from what is in use.
void reset_peak() noexcept;
/// Gives all kept blocks back to the system, of the small ones those of this thread.
void empty_cache() noexcept;
/// Upper bound on in_use + cached, small blocks apart; 0 is none.
void set_limit(size_t bytes) noexcept;
/// Makes the n-th request from now fail (1 is the next, 0 none), as GYRE_FAIL_ALLOC does from start.
void fail_request(uint64_t n) noexcept;

}  // namespace allocator
}  // namespace gyre
