#pragma once
#include <cstdint>

#include "gyre/ops/linalg/gemm.h"
#include "gyre/ops/linalg/gemm_tiles.h"

// Products that gain nothing from packed blocks: of a vector, and of few rows with sums along the
// depth.

namespace gyre {

/// Multiplications of a product; those of a sum of nothing count as of one.
template <class T>
double gemm_work(const Gemm<T>& g) {
  return static_cast<double>(g.m) * static_cast<double>(g.n) *
         static_cast<double>(g.k < 1 ? 1 : g.k);
}

/// Below this many multiplications a product stays on the calling thread.
inline constexpr double kParallelWork = 0.5e6;

/// The kernel that computes a product.
enum class GemmWay : uint8_t { row, column, dots, blocks };
template <class T>
GemmWay way_of(const Gemm<T>& g, const GemmTiles<T>& tiles) noexcept;

/// Computes a product, for T = float or double, unless its way is by blocks; whether it did.
template <class T>
bool gemm_by_vectors(const Gemm<T>& g, const GemmTiles<T>& tiles) noexcept;

/// Computes a product with a_col = b_row = 1 by `dot`, of T as the kernels take it: f16 and bf16 as
/// uint16_t.
template <class T, class Stored>
void gemm_by_dots(const Gemm<T>& g, void (*dot)(const GemmBlock<Stored>&) noexcept) noexcept;

}  // namespace gyre
