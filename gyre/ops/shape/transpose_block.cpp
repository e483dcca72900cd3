#include "gyre/ops/shape/transpose_block.h"

#include <cstring>
#include <utility>

namespace gyre {
namespace {

constexpr int kVectorBytes = 16;

template <class T>
struct Lanes {
  typedef T Vector __attribute__((vector_size(kVectorBytes)));
  static constexpr size_t kCount = kVectorBytes / sizeof(T);
};

template <class V, size_t... I>
V interleave_low(V a, V b, std::index_sequence<I...>) {
  constexpr size_t n = sizeof...(I);
  return __builtin_shufflevector(a, b, (I % 2 ? n + I / 2 : I / 2)...);
}
template <class V, size_t... I>
V interleave_high(V a, V b, std::index_sequence<I...>) {
  constexpr size_t n = sizeof...(I);
  return __builtin_shufflevector(a, b, (n / 2 + (I % 2 ? n + I / 2 : I / 2))...);
}

// A square of n rows in n vectors: log2(n) rounds that interleave row i with row i + n/2.
template <class T>
void transpose_square(const std::byte* from, int64_t from_stride, std::byte* to,
                      int64_t to_stride) {
  using V = typename Lanes<T>::Vector;
  constexpr size_t n = Lanes<T>::kCount;
  constexpr auto kLanes = std::make_index_sequence<n>{};
  V rows[n], next[n];
  for (size_t i = 0; i < n; ++i) {
    std::memcpy(&rows[i], from + static_cast<int64_t>(i) * from_stride, sizeof(V));
  }
  for (size_t round = n; round > 1; round /= 2) {
    for (size_t i = 0; i < n / 2; ++i) {
      next[2 * i] = interleave_low(rows[i], rows[i + n / 2], kLanes);
      next[2 * i + 1] = interleave_high(rows[i], rows[i + n / 2], kLanes);
    }
    for (size_t i = 0; i < n; ++i) rows[i] = next[i];
  }
  for (size_t i = 0; i < n; ++i) {
    std::memcpy(to + static_cast<int64_t>(i) * to_stride, &rows[i], sizeof(V));
  }
}

// Into a buffer whose rows lie together first: rows of the target are often a multiple of a page
// apart and would throw each other out of the cache if they were written piecemeal.
template <class T>
void transpose_of(const std::byte* from, int64_t from_stride, std::byte* to, int64_t to_stride,
                  int64_t rows, int64_t columns) {
  constexpr int64_t kSize = sizeof(T), kSide = transpose_block_side(kSize);
  constexpr int64_t kStep = Lanes<T>::kCount, kRow = kSide * kSize;
  alignas(64) std::byte block[kSide * kRow];
  auto move_one = [&](int64_t r, int64_t c) {
    std::memcpy(block + r * kRow + c * kSize, from + c * from_stride + r * kSize, kSize);
  };
  int64_t whole_rows = rows / kStep * kStep, whole_columns = columns / kStep * kStep;
  for (int64_t c = 0; c < whole_columns; c += kStep) {
    for (int64_t r = 0; r < whole_rows; r += kStep) {
      transpose_square<T>(from + c * from_stride + r * kSize, from_stride,
                          block + r * kRow + c * kSize, kRow);
    }
    for (int64_t r = whole_rows; r < rows; ++r) {
      for (int64_t i = 0; i < kStep; ++i) move_one(r, c + i);
    }
  }
  for (int64_t c = whole_columns; c < columns; ++c) {
    for (int64_t r = 0; r < rows; ++r) move_one(r, c);
  }
  if (columns == kSide) {
    for (int64_t r = 0; r < rows; ++r) std::memcpy(to + r * to_stride, block + r * kRow, kRow);
  } else {
    for (int64_t r = 0; r < rows; ++r) {
      std::memcpy(to + r * to_stride, block + r * kRow, static_cast<size_t>(columns * kSize));
    }
  }
}

}  // namespace

void transpose_block(const std::byte* from, int64_t from_stride, std::byte* to, int64_t to_stride,
                     int64_t rows, int64_t columns, int64_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return transpose_of<uint8_t>(from, from_stride, to, to_stride, rows, columns);
    case 2:
      return transpose_of<uint16_t>(from, from_stride, to, to_stride, rows, columns);
    case 4:
      return transpose_of<uint32_t>(from, from_stride, to, to_stride, rows, columns);
    default:
      return transpose_of<uint64_t>(from, from_stride, to, to_stride, rows, columns);
  }
}

}  // namespace gyre
