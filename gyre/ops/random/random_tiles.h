#pragma once
#include <stdint.h>

namespace gyre {

/// Random numbers of one instruction set. All sets give the same bits: arithmetic is plain, without
/// fma, so every operation rounds once everywhere.
struct RandomTiles {
  /// Words of Philox-4x32-10 for counters block, block + 1, ...; four words each. Writes up to
  /// kSpareBlocks blocks past the end.
  void (*words)(uint64_t seed, uint64_t block, uint32_t* out, int64_t blocks) noexcept;
  /// Normals from pairs (u, t), u in (0, 1] and t in [0, 1]: out[i] = sqrt(-2 log u[i]) cos(2 pi
  /// t[i]) and out[i + n] the same with sin. n is a multiple of kNormalStep.
  void (*normals)(const double* u, const double* t, double* out, int64_t n) noexcept;
  /// out = words < threshold ? 0 : in * scale
  void (*drop)(const float* in, const uint32_t* words, uint32_t threshold, float scale, float* out,
               int64_t n) noexcept;
};

inline constexpr int64_t kSpareBlocks = 8, kNormalStep = 8;

/// The tiles of the instruction set in use.
const RandomTiles& random_tiles();

}  // namespace gyre
