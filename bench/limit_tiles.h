#pragma once
#include <stdint.h>

namespace gyre::bench {

/// Loops over memory and multiply-adds, once per instruction set.
struct LimitTiles {
  int lanes;
  void (*copy)(const float* in, float* out, int64_t n) noexcept;  ///< n a multiple of 4 lanes
  float (*read)(const float* in, int64_t n) noexcept;             ///< the same
  /// 12 chains of `rounds` multiply-adds each; `seeds` holds 14 vectors.
  float (*fma)(const float* seeds, int64_t rounds) noexcept;
};

}  // namespace gyre::bench
