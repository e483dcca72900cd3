#pragma once
#include <cstddef>

namespace gyre {

/// Blocks of up to 4 KiB on 64-byte boundaries, from lists that each thread keeps of the blocks it
/// freed: taking and giving one back costs no lock and no heap call once warm. A block may be given
/// back by another thread. Under AddressSanitizer every block comes from the heap.
inline constexpr size_t kLargestSmallBlock = 4096;

/// nullptr when there is no memory.
void* take_small_block(size_t bytes) noexcept;
void give_small_block(void* block, size_t bytes) noexcept;

/// Gives the blocks that this thread keeps back to the heap.
void drop_small_blocks() noexcept;

}  // namespace gyre
