#pragma once
#include <cstddef>

namespace gyre {

/// Blocks of up to 4 KiB aligned to 64 bytes, from per-thread free lists: allocating and freeing
/// needs no lock and no heap call once warm. A block may be freed by another thread. Under
/// AddressSanitizer every block comes from the heap.
inline constexpr size_t kLargestSmallBlock = 4096;

/// nullptr when out of memory.
void* take_small_block(size_t bytes) noexcept;
void give_small_block(void* block, size_t bytes) noexcept;

/// Returns the free blocks of this thread to the heap.
void drop_small_blocks() noexcept;

}  // namespace gyre
