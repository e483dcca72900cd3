#include "gyre/kernel/transpose_block.h"

#include <cstring>

#include "gyre/kernel/convert.h"

namespace gyre {

// Transposes into a contiguous buffer first: rows of the target are often a multiple of a page
// apart and would evict each other from the cache.
void transpose_block(const std::byte* from, int64_t from_stride, std::byte* to, int64_t to_stride,
                     int64_t rows, int64_t columns, int64_t element_bytes, bool stream) {
  constexpr int64_t kRow = transpose_block_side(1);
  alignas(64) std::byte block[transpose_block_side(1) * kRow];
  // Rows are far apart, so the hardware does not prefetch them.
  for (int64_t c = 0; c < columns; ++c) {
    __builtin_prefetch(from + c * from_stride);
    __builtin_prefetch(from + c * from_stride + 64);
  }
  const ConvertTiles& tiles = convert_tiles();
  tiles.transpose[log2_of(static_cast<size_t>(element_bytes))](from, from_stride, block, kRow, rows,
                                                               columns);
  int64_t bytes = columns * element_bytes;
  bool streams = stream && (reinterpret_cast<uintptr_t>(to) | to_stride) % 16 == 0;
  if (bytes == kRow && streams) {
    for (int64_t r = 0; r < rows; ++r) tiles.stream(block + r * kRow, to + r * to_stride, kRow);
  } else if (bytes == kRow) {
    for (int64_t r = 0; r < rows; ++r) std::memcpy(to + r * to_stride, block + r * kRow, kRow);
  } else {
    for (int64_t r = 0; r < rows; ++r) {
      std::memcpy(to + r * to_stride, block + r * kRow, static_cast<size_t>(bytes));
    }
  }
}

}  // namespace gyre
