#pragma once
#include "gyre/kernel/outer_axes.h"
#include "gyre/ops/order/keys.h"
#include "gyre/ops/order/plans.h"

namespace gyre {

inline OrderRows order_rows(const View& x, const View& values, const View& indices, int64_t axis) {
  View views[3] = {x, values.data ? values : indices, indices};
  int64_t length = 1, step[3] = {1, 1, 1};
  if (x.shape.rank) {
    int k = static_cast<int>(axis < 0 ? axis + x.shape.rank : axis);
    length = x.shape[k];
    for (int i = 0; i < 3; ++i) {
      step[i] = views[i].strides[k];
      views[i].shape[k] = 1;
    }
  }
  const View* pointers[] = {&views[0], &views[1], &views[2]};
  return {StridedLoop(views[0].shape, pointers), length, {step[0], step[1], step[2]}};
}

/// Scratch memory per thread; lines that need more are processed one at a time.
inline constexpr size_t kThreadRoom = size_t{1} << 20;

/// True if positions or keys need the wide Entry.
template <class T>
constexpr bool is_wide(int64_t length) {
  return sizeof(KeyOf<T>) == 8 || length >= kMostNarrow;
}
inline size_t entry_bytes(DType dtype, int64_t length) {
  bool wide = size_of(dtype) == 8 || length >= kMostNarrow;
  return wide ? sizeof(Entry<uint64_t>) : sizeof(Entry<uint32_t>);
}

}  // namespace gyre
