#include "gyre/kernel/transpose_block.h"

#include <cstring>
#include <utility>

#include "gyre/kernel/convert.h"

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

// log2(n) rounds that interleave row i with row i + n/2. Unrolled by templates, so that rows are
// registers.
template <size_t round, class V, size_t n, size_t... I>
void interleave_rows(V (&rows)[n], std::index_sequence<I...> halves) {
  if constexpr (round > 1) {
    constexpr auto kLanes = std::make_index_sequence<n>{};
    V next[n];
    ((next[2 * I] = interleave_low(rows[I], rows[I + n / 2], kLanes),
      next[2 * I + 1] = interleave_high(rows[I], rows[I + n / 2], kLanes)),
     ...);
    interleave_rows<round / 2>(next, halves);
    ((rows[2 * I] = next[2 * I], rows[2 * I + 1] = next[2 * I + 1]), ...);
  }
}

// A square of n rows in n vectors.
template <class T, size_t... I>
void transpose_square(const std::byte* from, int64_t from_stride, std::byte* to, int64_t to_stride,
                      std::index_sequence<I...>) {
  using V = typename Lanes<T>::Vector;
  V rows[sizeof...(I)];
  (std::memcpy(&rows[I], from + static_cast<int64_t>(I) * from_stride, sizeof(V)), ...);
  interleave_rows<sizeof...(I)>(rows, std::make_index_sequence<sizeof...(I) / 2>{});
  (std::memcpy(to + static_cast<int64_t>(I) * to_stride, &rows[I], sizeof(V)), ...);
}

// Into a buffer whose rows lie together first: rows of the target are often a multiple of a page
// apart and would throw each other out of the cache if they were written piecemeal.
template <class T>
void transpose_of(const std::byte* from, int64_t from_stride, std::byte* to, int64_t to_stride,
                  int64_t rows, int64_t columns, bool stream) {
  constexpr int64_t kSize = sizeof(T), kSide = transpose_block_side(kSize);
  constexpr int64_t kStep = Lanes<T>::kCount, kRow = kSide * kSize;
  alignas(64) std::byte block[kSide * kRow];
  auto move_one = [&](int64_t r, int64_t c) {
    std::memcpy(block + r * kRow + c * kSize, from + c * from_stride + r * kSize, kSize);
  };
  // Rows are far apart, so the hardware foresees nothing.
  for (int64_t c = 0; c < columns; ++c) {
    __builtin_prefetch(from + c * from_stride);
    __builtin_prefetch(from + c * from_stride + 64);
  }
  int64_t whole_rows = rows / kStep * kStep, whole_columns = columns / kStep * kStep;
  for (int64_t c = 0; c < whole_columns; c += kStep) {
    for (int64_t r = 0; r < whole_rows; r += kStep) {
      transpose_square<T>(from + c * from_stride + r * kSize, from_stride,
                          block + r * kRow + c * kSize, kRow, std::make_index_sequence<kStep>{});
    }
    for (int64_t r = whole_rows; r < rows; ++r) {
      for (int64_t i = 0; i < kStep; ++i) move_one(r, c + i);
    }
  }
  for (int64_t c = whole_columns; c < columns; ++c) {
    for (int64_t r = 0; r < rows; ++r) move_one(r, c);
  }
  bool streams = stream && (reinterpret_cast<uintptr_t>(to) | to_stride) % 16 == 0;
  if (columns == kSide && streams) {
    const ConvertTiles& tiles = convert_tiles();
    for (int64_t r = 0; r < rows; ++r) tiles.stream(block + r * kRow, to + r * to_stride, kRow);
  } else if (columns == kSide) {
    for (int64_t r = 0; r < rows; ++r) std::memcpy(to + r * to_stride, block + r * kRow, kRow);
  } else {
    for (int64_t r = 0; r < rows; ++r) {
      std::memcpy(to + r * to_stride, block + r * kRow, static_cast<size_t>(columns * kSize));
    }
  }
}

}  // namespace

void transpose_block(const std::byte* from, int64_t from_stride, std::byte* to, int64_t to_stride,
                     int64_t rows, int64_t columns, int64_t element_bytes, bool stream) {
  switch (element_bytes) {
    case 1:
      return transpose_of<uint8_t>(from, from_stride, to, to_stride, rows, columns, stream);
    case 2:
      return transpose_of<uint16_t>(from, from_stride, to, to_stride, rows, columns, stream);
    case 4:
      return transpose_of<uint32_t>(from, from_stride, to, to_stride, rows, columns, stream);
    default:
      return transpose_of<uint64_t>(from, from_stride, to, to_stride, rows, columns, stream);
  }
}

}  // namespace gyre
