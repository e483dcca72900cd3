#pragma once
#include "gyre/packed/packed_tiles.h"

namespace gyre {

/// What an instruction set gives to gradients of words.
struct GradientTiles {
  /// For neighbouring tiles and the gradient g[input][output] of their weights, `g_stride` apart:
  /// sums[layer][output] += sum over inputs of f g number, f the factor of the output, and for each
  /// bit the change of sum of f g number when it is flipped, in
  /// first[tile][layer][bit of step][input][output]. With `curvature`, laid out like g, also, in
  /// `second`, the sum of curvature (f change)^2. Numbers are those of ring_values().
  void (*flips)(const PackedCode& code, const Packed128* words, int64_t tiles, const float* factors,
                const float* g, int64_t g_stride, const float* curvature, float* first,
                float* second, float* sums) noexcept;
  /// g[input][output] = sum over n of x[n][input] e[n][output], for kManyOutputs outputs; rows of e
  /// are `e_stride` apart.
  void (*products)(const float* x, const float* e, int64_t e_stride, int64_t n, int64_t inputs,
                   float* g) noexcept;
  static constexpr int kManyOutputs = 64;
  /// g[input][output] += sum over n of x[n][input] e[n][output].
  void (*add_products)(const float* x, const float* e, int64_t n, int inputs, float* g) noexcept;
  /// e[n][output] += sum over inputs of x[n][input] change[input][output].
  void (*add_changes)(const float* x, const float* change, int64_t n, int inputs,
                      float* e) noexcept;
};

}  // namespace gyre
