#include "gyre/ops/linalg/gemm/gemm_vectors.h"

#include <algorithm>

#include "gyre/base/half.h"
#include "gyre/base/thread_pool.h"

namespace gyre {
namespace {

/// The size of pieces of n, a multiple of `step`, of which each thread gets about `each`.
/// Affects speed only.
int64_t piece(int64_t n, int64_t step, double work_in_all, int64_t each) {
  if (work_in_all < kParallelWork) return n;
  const int64_t pieces = std::min<int64_t>(num_threads() * each,
                                           static_cast<int64_t>(work_in_all / kParallelWork) + 1);
  const int64_t size = (n + pieces - 1) / pieces;
  return (size + step - 1) / step * step;
}

template <class T>
void run_row(const RowTimesMatrix<T>& all, const GemmTiles<T>& tiles) {
  const double bytes = static_cast<double>(all.cols) * static_cast<double>(all.depth);
  const int64_t grain = piece(all.cols, 4 * tiles.width, bytes * 4, 2);
  parallel_for(all.cols, grain, [&](int64_t begin, int64_t end) {
    RowTimesMatrix<T> part = all;
    part.cols = end - begin;
    part.b += begin;
    part.y += begin;
    if (part.bias) part.bias += begin;
    tiles.row(part);
  });
}

/// Whether sums along the depth pay for adding up their lanes, instead of transposing B.
bool favours_dots(int64_t rows, int64_t depth) { return rows <= 8 || (rows <= 32 && depth >= 256); }

}  // namespace

template <class T>
GemmWay way_of(const Gemm<T>& g, const GemmTiles<T>& tiles) noexcept {
  if (g.m == 1 && g.b_col == 1 && g.n > 1) return GemmWay::row;
  if (g.n == 1 && g.a_row == 1 && g.m > 1 && g.c_row == 1 && !g.bias) return GemmWay::column;
  const bool along = g.a_col == 1 && g.b_row == 1 && g.k >= tiles.width;
  return along && (g.n == 1 || favours_dots(g.m, g.k)) ? GemmWay::dots : GemmWay::blocks;
}

template <class T>
bool gemm_by_vectors(const Gemm<T>& g, const GemmTiles<T>& tiles) noexcept {
  switch (way_of(g, tiles)) {
    case GemmWay::row:
      run_row<T>({g.n, g.k, g.a, g.a_col, g.b, g.b_row, g.c, g.accumulate, g.bias}, tiles);
      return true;
    case GemmWay::column:
      run_row<T>({g.m, g.k, g.b, g.b_row, g.a, g.a_col, g.c, g.accumulate, nullptr}, tiles);
      return true;
    case GemmWay::dots:
      gemm_by_dots(g, tiles.dot);
      return true;
    default:
      return false;
  }
}

template <class T, class Stored>
void gemm_by_dots(const Gemm<T>& g, void (*dot)(const GemmBlock<Stored>&) noexcept) noexcept {
  const auto at = [](const T* p, int64_t i) { return reinterpret_cast<const Stored*>(p + i); };
  const auto run = [&](int64_t row, int64_t rows, int64_t col, int64_t cols) {
    GemmBlock<Stored> part{};
    part.rows = rows;
    part.cols = cols;
    part.depth = g.k;
    part.a = at(g.a, row * g.a_row);
    part.a_row = g.a_row;
    part.b = at(g.b, col * g.b_col);
    part.b_row = g.b_col;
    part.c = reinterpret_cast<Stored*>(g.c + row * g.c_row + col);
    part.c_row = g.c_row;
    part.accumulate = g.accumulate;
    part.bias = g.bias ? at(g.bias, col) : nullptr;
    dot(part);
  };
  const bool by_columns = g.n >= g.m;
  const int64_t parts = by_columns ? g.n : g.m;
  parallel_for(parts, piece(parts, 24, gemm_work(g) * 4, 4), [&](int64_t begin, int64_t end) {
    by_columns ? run(0, g.m, begin, end - begin) : run(begin, end - begin, 0, g.n);
  });
}

template GemmWay way_of(const Gemm<float>&, const GemmTiles<float>&) noexcept;
template GemmWay way_of(const Gemm<double>&, const GemmTiles<double>&) noexcept;
template bool gemm_by_vectors(const Gemm<float>&, const GemmTiles<float>&) noexcept;
template bool gemm_by_vectors(const Gemm<double>&, const GemmTiles<double>&) noexcept;
template void gemm_by_dots(const Gemm<f16>&,
                           void (*)(const GemmBlock<uint16_t>&) noexcept) noexcept;
template void gemm_by_dots(const Gemm<bf16>&,
                           void (*)(const GemmBlock<uint16_t>&) noexcept) noexcept;

}  // namespace gyre
