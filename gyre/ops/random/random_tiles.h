#pragma once
#include <stdint.h>

namespace gyre {

/// Random numbers of one instruction set, n each, from the words of Philox; all sets give the same
/// bits (bodies.h). Up to 4 kSpareBlocks words past those needed are read.
struct RandomTiles {
  /// Words of Philox-4x32-10 for counters block, block + 1, ...; four words each. Writes up to
  /// kSpareBlocks blocks past the end.
  void (*words)(uint64_t seed, uint64_t block, uint32_t* out, int64_t blocks) noexcept;
  /// Uniform in [0, 1): multiples of 2^-bits from one word each, of 2^-53 from two.
  void (*uniform)(const uint32_t* words, int bits, float* out, int64_t n) noexcept;
  void (*uniform_f64)(const uint32_t* words, double* out, int64_t n) noexcept;
  /// Elements 2i and 2i + 1 are the two normals of pair i, whose radius comes from the first number
  /// of the pair and whose angle from the second; numbers have one word each, or two.
  void (*normal)(const uint32_t* words, double* out, int64_t n) noexcept;
  void (*normal_f64)(const uint32_t* words, double* out, int64_t n) noexcept;
  /// low, ..., low + range - 1 from two words each.
  void (*integers)(const uint32_t* words, int64_t low, uint64_t range, int64_t* out,
                   int64_t n) noexcept;
  /// words < threshold, at most 2^32
  void (*bernoulli)(const uint32_t* words, uint64_t threshold, int32_t* out, int64_t n) noexcept;
  /// words < threshold ? 0 : in * scale
  void (*drop)(const float* in, const uint32_t* words, uint32_t threshold, float scale, float* out,
               int64_t n) noexcept;
  void (*drop_f64)(const double* in, const uint32_t* words, uint32_t threshold, double scale,
                   double* out, int64_t n) noexcept;
};

inline constexpr int64_t kSpareBlocks = 8;

/// The tiles of the instruction set in use.
const RandomTiles& random_tiles();

}  // namespace gyre
