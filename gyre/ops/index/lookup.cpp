#include "gyre/ops/index/lookup.h"

#include <cstring>

#include "gyre/kernel/outer_axes.h"

namespace gyre {
namespace {

constexpr int kOut = 0, kBase = 1, kIndex = 2;  // operands of the loop

int64_t stored_index(const StridedLoop& loop, int64_t offset) {
  if (loop.dtype[kIndex] == DType::i32) {
    int32_t i;
    std::memcpy(&i, loop.data[kIndex] + offset * 4, sizeof i);
    return i;
  }
  int64_t i;
  std::memcpy(&i, loop.data[kIndex] + offset * 8, sizeof i);
  return i;
}

void copy_whole_rows(const StridedLoop& loop, int64_t step, int64_t size) {
  for_rows<3>(loop, [&](const int64_t* offset, int64_t first, int64_t n) {
    int64_t from = offset[kBase] + first + stored_index(loop, offset[kIndex]) * step;
    std::memcpy(loop.data[kOut] + (offset[kOut] + first) * size, loop.data[kBase] + from * size,
                static_cast<size_t>(n * size));
  });
}

template <int64_t size>
void copy_one_by_one(const StridedLoop& loop, int64_t step) {
  int last = loop.rank - 1;
  int64_t out_stride = loop.strides[kOut][last], base_stride = loop.strides[kBase][last];
  int64_t index_stride = loop.strides[kIndex][last];
  for_rows<3>(loop, [&](const int64_t* offset, int64_t first, int64_t n) {
    std::byte* to = loop.data[kOut] + (offset[kOut] + first * out_stride) * size;
    const std::byte* from = loop.data[kBase] + (offset[kBase] + first * base_stride) * size;
    int64_t at = offset[kIndex] + first * index_stride;
    for (int64_t i = 0; i < n; ++i) {
      int64_t moved = i * base_stride + stored_index(loop, at + i * index_stride) * step;
      std::memcpy(to + i * out_stride * size, from + moved * size, size);
    }
  });
}

}  // namespace

void look_up(const Lookup& lookup) {
  const StridedLoop& loop = lookup.loop;
  if (loop.size() == 0) return;
  int last = loop.rank - 1;
  auto size = static_cast<int64_t>(size_of(loop.dtype[kOut]));
  bool rows = loop.strides[kOut][last] == 1 && loop.strides[kBase][last] == 1 &&
              loop.strides[kIndex][last] == 0;
  if (rows) return copy_whole_rows(loop, lookup.step, size);
  switch (size) {
    case 1:
      return copy_one_by_one<1>(loop, lookup.step);
    case 2:
      return copy_one_by_one<2>(loop, lookup.step);
    case 4:
      return copy_one_by_one<4>(loop, lookup.step);
    default:
      return copy_one_by_one<8>(loop, lookup.step);
  }
}

}  // namespace gyre
