#pragma once
#include "gyre/packed/packed_tiles.h"

namespace gyre {

/// A number of packed weights as a byte b: (b - zero) * unit.
struct ByteNumbers {
  int32_t cos, sin,
      offset;  ///< b = (cos hi + sin lo + offset) / 2^14 for the sums of bytes of a state
  float unit, zero;
};

/// Outputs of a block whose weights are decoded for many rows.
inline constexpr int kBlockOutputs = 64;

/// y[row][output] += (sum over inputs of x times weights) * units: the part of one group of inputs.
struct Int8Block {
  const int8_t* x;         ///< [rows, x_row]
  const uint8_t* weights;  ///< [quads, kBlockOutputs, 4]: four inputs together
  int64_t rows, x_row, quads;
  const float* x_units;   ///< of each row, x_units_row apart
  const int32_t* x_sums;  ///< of each row of x, as far apart
  int64_t x_units_row;
  const float *units, *zeros;  ///< of each output
  float* y;
  int64_t y_row;
  int outputs;  ///< at most kBlockOutputs
};

/// Instructions beyond an instruction set that a CPU may have; they change no bit of a result.
enum class ByteProducts : uint8_t {
  none,
  vnni,       ///< products of four bytes: AVX512_VNNI or AVX_VNNI
  multishift  ///< and bytes from any bit: AVX512_VBMI
};
/// Those that the CPU has beside the instruction set in use.
ByteProducts byte_products();

/// What an instruction set gives to products with activations of 8 bits.
struct Int8Tiles {
  /// Writes x over its unit, which it returns: the largest size over 127; NaN when a
  /// number is not finite. `sum` is that of the bytes.
  float (*round)(const float* x, int64_t n, int8_t* to, int32_t& sum) noexcept;
  /// sums[layer][output] += x[input] * sum of the state's bytes. Of each two inputs of a tile, the
  /// first is in the two lower bytes of a word of x and the second in the upper ones, where 0 is in
  /// place of one that there is not.
  void (*add_row)(const PackedCode& code, ByteProducts with, const Packed128* words, int64_t tiles,
                  const uint32_t* x, int32_t* sums) noexcept;
  /// The bytes of the numbers of tiles of 16 outputs, as in Int8Block::weights.
  void (*decode)(const PackedCode& code, const ByteNumbers& numbers, ByteProducts with,
                 const Packed128* words, int64_t tiles, uint8_t* to) noexcept;
  void (*multiply)(const Int8Block& block, ByteProducts with) noexcept;
};
/// The kernels of the instruction set in use.
const Int8Tiles& int8_tiles();

}  // namespace gyre
