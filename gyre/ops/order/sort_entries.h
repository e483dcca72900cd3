#pragma once
#include <algorithm>
#include <cstring>

#include "gyre/base/thread_pool.h"
#include "gyre/ops/order/keys.h"

// Sorts one list of entries. Called by kernels: does not allocate or throw.

namespace gyre {

/// Below this length a comparison sort is faster than radix sort.
inline constexpr int64_t kLeastCounted = 512;
/// Longer lists are sorted in chunks of this length in parallel and merged.
inline constexpr int64_t kSortChunk = int64_t{1} << 16;

/// LSD radix sort, one byte per pass; the result is in `a`. `b` has the same length.
template <class E>
void sort_by_digits(E* a, E* b, int64_t n) {
  constexpr int kDigits = sizeof(E().key());
  static_assert(kDigits == 4 || kDigits == 8);
  int64_t counts[kDigits][256] = {};
  for (int64_t i = 0; i < n; ++i) {
    auto key = a[i].key();
    for (int d = 0; d < kDigits; ++d) ++counts[d][key >> (8 * d) & 255];
  }
  E *from = a, *to = b;
  for (int d = 0; d < kDigits; ++d) {
    int64_t* next = counts[d];
    if (next[from[0].key() >> (8 * d) & 255] == n) continue;  // all have this digit
    int64_t start = 0;
    for (int v = 0; v < 256; ++v) {
      int64_t count = next[v];
      next[v] = start;
      start += count;
    }
    for (int64_t i = 0; i < n; ++i) to[next[from[i].key() >> (8 * d) & 255]++] = from[i];
    std::swap(from, to);
  }
  if (from != a) std::memcpy(static_cast<void*>(a), from, static_cast<size_t>(n) * sizeof(E));
}

/// Sorts entries whose positions ascend; the result is in `a`. `b` has the same length.
template <class E>
void sort_short(E* a, E* b, int64_t n) {
  if (n < kLeastCounted) {
    std::sort(a, a + n);
  } else {
    sort_by_digits(a, b, n);
  }
}

/// Number of the first `rank` entries of the merge of two sorted lists that come from the first
/// list.
template <class E>
int64_t share_of_first(const E* x, int64_t m, const E* y, int64_t n, int64_t rank) {
  int64_t low = rank > n ? rank - n : 0, high = rank < m ? rank : m;
  while (low < high) {
    int64_t i = (low + high) / 2;
    if (x[i] < y[rank - i - 1]) {
      low = i + 1;
    } else {
      high = i;
    }
  }
  return low;
}

/// Merges pairs of sorted runs of `run` entries from `from` into `to`, chunk by chunk.
template <class E>
void merge_runs(const E* from, E* to, int64_t n, int64_t run) {
  parallel_for((n + kSortChunk - 1) / kSortChunk, 1, [&](int64_t piece, int64_t) {
    int64_t begin = piece * kSortChunk, base = begin / (2 * run) * (2 * run);
    int64_t m = std::min(run, n - base), rest = std::min(run, n - base - m);
    const E *x = from + base, *y = x + m;
    int64_t first = begin - base, last = std::min(first + kSortChunk, m + rest);
    int64_t i = share_of_first(x, m, y, rest, first), end = share_of_first(x, m, y, rest, last);
    std::merge(x + i, x + end, y + (first - i), y + (last - end), to + begin);
  });
}

/// Sorts entries whose positions ascend on all threads; returns the buffer with the result, `a` or
/// `b`.
template <class E>
E* sort_long(E* a, E* b, int64_t n) {
  parallel_for(n, kSortChunk,
               [&](int64_t begin, int64_t end) { sort_short(a + begin, b + begin, end - begin); });
  for (int64_t run = kSortChunk; run < n; run *= 2) {
    merge_runs(a, b, n, run);
    std::swap(a, b);
  }
  return a;
}

}  // namespace gyre
