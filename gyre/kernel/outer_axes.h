#pragma once
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/strided.h"

namespace gyre {

/// Iterates over the first `rank` axes of a loop in row-major order and tracks the offsets of its
/// first N operands.
template <int N>
class OuterAxes {
 public:
  OuterAxes(const StridedLoop& loop, int rank, int64_t begin) : loop_(loop), rank_(rank) {
    for (int i = rank - 1; i >= 0; --i) {
      at_[i] = begin % loop.dims[i];
      begin /= loop.dims[i];
      for (int k = 0; k < N; ++k) offset[k] += at_[i] * loop.strides[k][i];
    }
  }
  void next() {
    for (int i = rank_ - 1; i >= 0; --i) {
      for (int k = 0; k < N; ++k) offset[k] += loop_.strides[k][i];
      if (++at_[i] < loop_.dims[i]) return;
      for (int k = 0; k < N; ++k) offset[k] -= loop_.dims[i] * loop_.strides[k][i];
      at_[i] = 0;
    }
  }
  int64_t offset[N] = {};  ///< in elements

 private:
  const StridedLoop& loop_;
  int rank_;
  int64_t at_[kMaxRank];
};

/// Number of elements of the first `rank` axes of a loop.
inline int64_t outer_count(const StridedLoop& loop, int rank) {
  int64_t n = 1;
  for (int i = 0; i < rank; ++i) n *= loop.dims[i];
  return n;
}

/// Calls piece(outer, first, n) in parallel for ranges of the last axis of a loop: whole rows, or
/// parts of kGrain elements of long rows.
template <int N, class F>
void for_rows(const StridedLoop& loop, F piece) {
  int last = loop.rank - 1;
  int64_t row = loop.dims[last], parts = (row + kGrain - 1) / kGrain;
  int64_t grain = row < kGrain ? kGrain / row : 1;
  parallel_for(outer_count(loop, last) * parts, grain, [&](int64_t begin, int64_t end) {
    OuterAxes<N> outer(loop, last, begin / parts);
    int64_t part = begin % parts;
    for (int64_t unit = begin; unit < end; ++unit) {
      int64_t first = part * kGrain;
      piece(outer.offset, first, row - first < kGrain ? row - first : kGrain);
      if (++part == parts) {
        part = 0;
        outer.next();
      }
    }
  });
}

}  // namespace gyre
