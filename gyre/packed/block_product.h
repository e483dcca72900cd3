#pragma once
#include "gyre/packed/packed_layout.h"

// Products of matrices in formats with kernels of blocks (packed/codec/row_block_tiles.h), in f32,
// as packed_product.h says. Few rows are multiplied by the blocks as they lie; more by gemm(),
// whose panels are decoded.

namespace gyre {

/// Whether the format has such kernels.
bool has_block_kernels(const Codec& format);

/// y [n, rows] = x w^T for x [n, cols].
void multiply_blocks_transposed(const PackedMatrix& w, const float* x, int64_t n, float* y);
/// y [n, cols] = x w for x [n, rows].
void multiply_blocks(const PackedMatrix& w, const float* x, int64_t n, float* y);

}  // namespace gyre
