#pragma once
#include "gyre/packed/word.h"

namespace gyre {

/// Outputs (rows of a matrix) of a tile.
inline constexpr int kTileOutputs = 16;

/// A format as the kernels of packed matrices see it (packed/ring_formats.def).
struct PackedCode {
  int layers, bits;
  uint32_t multipliers;
  float mean, scale;  ///< the number of a state is (sum of its bytes - mean) * scale
};

/// Two layers give cos times the number of `hi` plus sin times that of `lo`.
struct PackedAngle {
  float cos = 1, sin = 0;
};

/// What an instruction set gives to packed matrices. `words` are those of neighbouring tiles, whose
/// inputs follow one another.
struct PackedTiles {
  /// numbers[input][output]: those of ring_values(), of both layers together.
  void (*decode)(const PackedCode& code, PackedAngle angle, const Packed128* words, int64_t tiles,
                 float* numbers) noexcept;
  /// sums[layer][output] += x[input] * numbers[layer][input][output] / scale, without storing them.
  void (*add_row)(const PackedCode& code, const Packed128* words, int64_t tiles, const float* x,
                  float* sums) noexcept;
  /// y[row][output] += factors[output] * sum over inputs of x[row][input] numbers[input][output],
  /// for `outputs` of the 16; strides in elements.
  void (*add_rows)(const float* numbers, int64_t inputs, const float* x, int64_t x_stride,
                   int64_t rows, const float* factors, float* y, int64_t y_stride,
                   int outputs) noexcept;
  /// y[row][input] += sum over `outputs` of x[row][output] factors[output] numbers[input][output].
  void (*add_transposed)(const float* numbers, int64_t inputs, const float* x, int64_t x_stride,
                         int64_t rows, const float* factors, float* y, int64_t y_stride,
                         int outputs) noexcept;
  /// The Walsh-Hadamard transform of n numbers, a power of two, over the root of n, in place: the
  /// same bits on every instruction set.
  void (*hadamard)(float* x, int64_t n) noexcept;
};

}  // namespace gyre
