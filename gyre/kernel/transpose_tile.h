#pragma once
#include "gyre/simd/primitives.h"

// Transposition by square blocks of vectors in registers, compiled per instruction set.

namespace gyre {
namespace {

/// Side of a square in elements: limited by the number of registers.
template <class T>
inline constexpr int kSquareSide = (sizeof(T) < 4 || GYRE_VBYTES < 32 ? 16 : 32) / int(sizeof(T));

// log2(n) rounds that interleave row i with row i + n/2. Unrolled by templates, so that rows are
// registers.
template <size_t round, class V, size_t n, size_t... i>
GYRE_INLINE void interleave_rows(V (&rows)[n], Sequence<i...> halves) {
  if constexpr (round > 1) {
    constexpr MakeSequence<n> kLanes;
    V next[n];
    ((next[2 * i] = raw_interleave<false>(rows[i], rows[i + n / 2], kLanes),
      next[2 * i + 1] = raw_interleave<true>(rows[i], rows[i + n / 2], kLanes)),
     ...);
    interleave_rows<round / 2>(next, halves);
    ((rows[2 * i] = next[2 * i], rows[2 * i + 1] = next[2 * i + 1]), ...);
  }
}

template <class T, size_t... i>
GYRE_INLINE void transpose_square(const char* from, int64_t from_stride, char* to,
                                  int64_t to_stride, Sequence<i...>) {
  constexpr int n = sizeof...(i);
  using V = RawOf<T, n>;
  V rows[n];
  (__builtin_memcpy(&rows[i], from + int64_t(i) * from_stride, sizeof(V)), ...);
  interleave_rows<n>(rows, MakeSequence<n / 2>{});
  (__builtin_memcpy(to + int64_t(i) * to_stride, &rows[i], sizeof(V)), ...);
}

/// Element (r, c) of `rows` x `columns`, at from + c * from_stride + r * sizeof(T), goes to
/// to + r * to_stride + c * sizeof(T). Strides are in bytes.
template <class T>
void transpose(const void* source, int64_t from_stride, void* target, int64_t to_stride,
               int64_t rows, int64_t columns) noexcept {
  constexpr int64_t n = kSquareSide<T>;
  const char* from = static_cast<const char*>(source);
  char* to = static_cast<char*>(target);
  if (rows < n || columns < n) {
    for (int64_t c = 0; c < columns; ++c) {
      for (int64_t r = 0; r < rows; ++r) {
        __builtin_memcpy(to + r * to_stride + c * int64_t(sizeof(T)),
                         from + c * from_stride + r * int64_t(sizeof(T)), sizeof(T));
      }
    }
    return;
  }
  // the last squares overlap those before them
  for (int64_t c = 0; c < columns; c += n) {
    int64_t left = c + n <= columns ? c : columns - n;
    for (int64_t r = 0; r < rows; r += n) {
      int64_t top = r + n <= rows ? r : rows - n;
      transpose_square<T>(from + left * from_stride + top * int64_t(sizeof(T)), from_stride,
                          to + top * to_stride + left * int64_t(sizeof(T)), to_stride,
                          MakeSequence<n>{});
    }
  }
}

}  // namespace
}  // namespace gyre
