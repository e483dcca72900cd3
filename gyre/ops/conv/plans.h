#pragma once
#include "gyre/ops/conv/window.h"

// Plans (op/launch.h) of pooling and patches; those of convolutions are in correlation.h. Results
// are contiguous.

namespace gyre {

/// One axis of an image and the windows that are pooled along it. Window u holds the elements
/// first(u), first(u) + dilation, ... below end(u); both ascend with u.
struct PoolAxis {
  int64_t size = 0, windows = 0;
  Window window{1, 1, 0, 1};
  bool adaptive = false, counts_padding = false;

  [[nodiscard]] constexpr int64_t first(int64_t u) const {
    if (adaptive) return u * size / windows;
    const int64_t begin = u * window.stride - window.padding, d = window.dilation;
    return begin < 0 ? begin + (-begin + d - 1) / d * d : begin;
  }
  [[nodiscard]] constexpr int64_t end(int64_t u) const {
    if (adaptive) return ((u + 1) * size + windows - 1) / windows;
    const int64_t end = u * window.stride - window.padding + window.extent();
    return end < size ? end : size;
  }
  /// Divisor of a mean along the axis.
  [[nodiscard]] constexpr double count(int64_t u) const {
    if (adaptive || !counts_padding) return static_cast<double>(end(u) - first(u));
    const int64_t begin = u * window.stride - window.padding;
    const int64_t left = size + window.padding - begin;
    return static_cast<double>(window.kernel < left ? window.kernel : left);
  }
};
struct PoolAxes {
  PoolAxis y, x;
};

/// max_pool2d, adaptive_max_pool2d: the largest element of each window of x [N, C, H, W]; NaN is
/// larger than all numbers, of equal elements the first in row-major order counts.
struct MaxPoolPlan {
  View x, out;
  int64_t* places;  ///< its row-major index in its image [H, W]; may be null
  PoolAxes axes;
  bool wide;  ///< computed in f64
};

/// avg_pool2d, adaptive_avg_pool2d: the mean of each window, in f64: the sum of its elements over
/// axes.y.count(u) axes.x.count(v). The gradient ops: each element of `in` over that, added to all
/// elements of its window of `out`.
struct AvgPoolPlan {
  View in, out;
  PoolAxes axes;
};

/// im2col: the windows of images as columns [N, C kernel, windows], zero where they cover padding.
/// col2im: each element of such columns added to the image, in f64 and rounded once.
struct ColumnsPlan {
  View in, out;
  Windows w;
  int64_t down, across;  ///< windows of an image
  ColumnsPlan(const KernelArgs& args, const Windows& windows, const Shape& image)
      : in(args.in[0]),
        out(args.out[0]),
        w(windows),
        down(w.y.count(image[2])),
        across(w.x.count(image[3])) {}
};

}  // namespace gyre
