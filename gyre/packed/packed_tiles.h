#pragma once
#include "gyre/packed/word.h"

namespace gyre {

/// Outputs (rows of a matrix) of a tile.
inline constexpr int kTileOutputs = 16;

/// A format as the kernels of packed matrices see it (packed/codec/codecs.def).
struct PackedCode {
  int layers, bits;
  uint32_t multipliers;
  float mean, scale;  ///< the number of a state is (sum of its bytes - mean) * scale
};

/// Two layers give cos times the number of `hi` plus sin times that of `lo`.
struct PackedAngle {
  float cos = 1, sin = 0;
};

/// Where decoded numbers go: that of an input and an output to
/// to[input * stride + output / 8 * half + output % 8]. `half` is 8 where a vector has 16 lanes.
struct PackedTarget {
  float* to;
  int64_t stride, half;
};

/// What an instruction set gives to packed matrices. `words` are those of neighbouring tiles, whose
/// inputs follow one another.
struct PackedTiles {
  /// The numbers of ring_values(), of both layers together, times the factor of the output, of
  /// `inputs` inputs from `first` on, counted from that of the first word.
  void (*decode)(const PackedCode& code, PackedAngle angle, const Packed128* words, int64_t first,
                 int64_t inputs, const float* factors, const PackedTarget& target) noexcept;
  /// The same, added to what is there.
  void (*decode_onto)(const PackedCode& code, PackedAngle angle, const Packed128* words,
                      int64_t first, int64_t inputs, const float* factors,
                      const PackedTarget& target) noexcept;
  /// sums[layer][output] += x[input] * numbers[layer][input][output] / scale, without storing them.
  void (*add_row)(const PackedCode& code, const Packed128* words, int64_t tiles, const float* x,
                  float* sums) noexcept;
  /// The Walsh-Hadamard transform of n numbers, a power of two, over the root of n, in place: the
  /// same bits on every instruction set.
  void (*hadamard)(float* x, int64_t n) noexcept;
};

}  // namespace gyre
