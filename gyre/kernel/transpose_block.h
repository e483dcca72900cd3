#pragma once
#include <cstddef>
#include <cstdint>

namespace gyre {

/// Side of a transposition block in elements: 128 bytes, so that source and target fit the L1 cache
/// and whole lines are written.
constexpr int64_t transpose_block_side(int64_t element_bytes) { return 128 / element_bytes; }

/// Transposes a block of at most side x side elements of 1, 2, 4 or 8 bytes: element (r, c) is read
/// at from + c * from_stride + r * element_bytes and written to to + r * to_stride + c *
/// element_bytes. Strides are in bytes. `stream` uses non-temporal stores, which avoids reading the
/// lines of a large target first; the fence of convert_tiles() then makes this thread's blocks
/// visible to others.
void transpose_block(const std::byte* from, int64_t from_stride, std::byte* to, int64_t to_stride,
                     int64_t rows, int64_t columns, int64_t element_bytes, bool stream);

}  // namespace gyre
