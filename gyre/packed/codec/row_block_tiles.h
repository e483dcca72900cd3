#pragma once
#include <stdint.h>

namespace gyre {

/// Numbers of a block of q8_0 and q4_0, GGUF's blocks: a scale in f16, then integers.
inline constexpr int kBlockNumbers = 32;
/// Bytes of a block: integers of 8 and of 4 bits.
inline constexpr int kQ8Bytes = 2 + kBlockNumbers, kQ4Bytes = 2 + kBlockNumbers / 2;

/// y[row * y_row + output] = sum over i of x[row * x_row + i] w[output][i].
struct BlockProduct {
  const uint8_t* w;         ///< rows of blocks, one after the other, at any address
  int64_t outputs, blocks;  ///< rows of w, and the blocks of each
  const float* x;           ///< rows of blocks * kBlockNumbers numbers
  int64_t rows, x_row;
  float* y;
  int64_t y_row;
};

/// Kernels of a format of such blocks.
struct BlockKernels {
  /// The numbers of neighbouring blocks: the scale times the integer, rounded once.
  void (*decode)(const uint8_t* from, int64_t blocks, float* to) noexcept;
  /// In f32. Each element depends on its rows of x and w alone, in an order that depends on the
  /// number of blocks and the instruction set.
  void (*multiply)(const BlockProduct& product) noexcept;
};

/// What an instruction set gives to formats of blocks.
struct RowBlockTiles {
  BlockKernels q8_0, q4_0;
};
/// The kernels of the instruction set in use.
const RowBlockTiles& row_block_tiles();

}  // namespace gyre
