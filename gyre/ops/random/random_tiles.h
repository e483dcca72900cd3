#pragma once
#include <stdint.h>

namespace gyre {

/// Constants of a call of a random op.
struct DrawNumbers {
  int bits = 0;            ///< of uniform f32
  uint64_t threshold = 0;  ///< words below it have probability p; at most 2^32, below it to drop
  double scale = 1;        ///< of elements that are not dropped
  int64_t low = 0;         ///< of integers
  uint64_t range = 0;      ///< of integers
};

/// Elements from words, one each or, f64 and integers, two. Up to 4 kSpareBlocks words after those
/// are read. Normals are pairs: n is rounded up to an even number of them.
using Draw = void (*)(const DrawNumbers& c, const uint32_t* words, const void* in, void* out,
                      int64_t n) noexcept;

/// Random numbers of one instruction set; all sets give the same bits (bodies.h).
struct RandomTiles {
  /// Words of Philox-4x32-10 for counters block, block + 1, ...; four words each. Writes up to
  /// kSpareBlocks blocks past the end.
  void (*words)(uint64_t seed, uint64_t block, uint32_t* out, int64_t blocks) noexcept;
  Draw uniform, uniform_f64;  ///< f32, f64
  Draw normal, normal_f64;    ///< f64, from numbers of one or two words
  Draw integers;              ///< i64
  Draw bernoulli;             ///< i32: 0 or 1
  Draw dropout, dropout_f64;  ///< of f32 and f64 operands
};

inline constexpr int64_t kSpareBlocks = 8;

/// The tiles of the instruction set in use.
const RandomTiles& random_tiles();

}  // namespace gyre
