#pragma once
#include <cstring>
#include <span>
#include <vector>

#include "gyre/tensor/tensor.h"

namespace gyre {

/// Passes the tensor's bytes in row-major order to `take` (of std::span<const std::byte>), chunk by
/// chunk; without a copy if the tensor is contiguous and on the host. It must be plain.
void row_major_bytes(const Tensor& tensor, auto take) {
  const size_t width = size_of(tensor.dtype());
  const auto count = static_cast<size_t>(tensor.numel());
  if (count == 0) return;
  const std::byte* from = tensor.impl()->bytes();
  std::vector<std::byte> copy;
  if (!tensor.readable()) {
    size_t last = 0;  // element
    for (int axis = 0; axis < tensor.rank(); ++axis) {
      last += static_cast<size_t>((tensor.shape()[axis] - 1) * tensor.strides()[axis]);
    }
    copy.resize((last + 1) * width);
    read_bytes(tensor, copy.data(), copy.size());
    from = copy.data();
  }
  if (tensor.is_contiguous()) return take(std::span<const std::byte>(from, count * width));
  std::byte buffer[size_t{1} << 14];
  size_t filled = 0;
  int64_t index[kMaxRank] = {};
  for (size_t done = 0; done < count; ++done) {
    std::memcpy(buffer + filled, from, width);
    filled += width;
    if (filled == sizeof buffer || done + 1 == count) {
      take(std::span<const std::byte>(buffer, filled));
      filled = 0;
    }
    for (int axis = tensor.rank(); axis-- > 0;) {
      const int64_t step = tensor.strides()[axis] * static_cast<int64_t>(width);
      from += step;
      if (++index[axis] < tensor.shape()[axis]) break;
      from -= step * index[axis];
      index[axis] = 0;
    }
  }
}

}  // namespace gyre
