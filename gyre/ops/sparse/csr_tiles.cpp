#include "gyre/ops/sparse/csr_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/simd/vec.h"

namespace gyre {
namespace {

/// V vectors of W lanes from column j on.
template <class T, int V, int W>
GYRE_INLINE void sums(const SparseRow<T>& r, int64_t j) {
  using X = Vec<T, W>;
  X sum[V];
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v) sum[v] = X::of(T(0));
  const T* dense = r.dense + j;
  for (int64_t i = 0; i < r.count; ++i) {
    const T* from = dense + r.columns[i] * r.dense_row;
    const X value = X::of(r.values[i]);
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) sum[v] = fma(value, X::load(from + v * W), sum[v]);
  }
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v) sum[v].store(r.out + j + v * W);
}

/// The columns from j on, which are fewer than 2 W.
template <class T, int W>
GYRE_INLINE void last_sums(const SparseRow<T>& r, int64_t j) {
  if (j + W <= r.n) {
    sums<T, 1, W>(r, j);
    j += W;
  }
  if constexpr (W > 1) last_sums<T, W / 2>(r, j);
}

template <class T>
void row(const SparseRow<T>& r) noexcept {
  constexpr int W = kWidth<T>, kVectors = 4;
  int64_t j = 0;
  for (; j + kVectors * W <= r.n; j += kVectors * W) sums<T, kVectors, W>(r, j);
  for (; j + W <= r.n; j += W) sums<T, 1, W>(r, j);
  if constexpr (W > 1) last_sums<T, W / 2>(r, j);
}

/// The sums of the lanes.
template <class T, int W>
GYRE_INLINE T total(Vec<T, W> x) {
  if constexpr (W == 1) {
    return x.only();
  } else {
    using Half = Vec<T, W / 2>;
    return total(Half::from(raw_half<T, W, false>(x.v)) + Half::from(raw_half<T, W, true>(x.v)));
  }
}

template <class T>
void sampled(const SampledRow<T>& r) noexcept {
  constexpr int W = kWidth<T>, kVectors = 2;
  using X = Vec<T>;
  for (int64_t i = 0; i < r.count; ++i) {
    const T* y = r.y + r.columns[i] * r.y_row;
    X sum[kVectors] = {X::of(T(0)), X::of(T(0))};
    int64_t l = 0;
    for (; l + kVectors * W <= r.depth; l += kVectors * W) {
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) {
        sum[v] = fma(X::load(r.x + l + v * W), X::load(y + l + v * W), sum[v]);
      }
    }
    if (l + W <= r.depth) {
      sum[0] = fma(X::load(r.x + l), X::load(y + l), sum[0]);
      l += W;
    }
    T rest = 0;
    for (; l < r.depth; ++l) rest += r.x[l] * y[l];
    r.out[i] = total(sum[0] + sum[1]) + rest;
  }
}

}  // namespace

GYRE_EXPORT_TILES(AllCsrTiles, csr){{row<float>, sampled<float>}, {row<double>, sampled<double>}};

}  // namespace gyre
