#pragma once
#include <concepts>

#include "gyre/kernel/reduction.h"

// Reductions over all or any axes. Gradients flow to every element; ties of max and min share.
// sum(x) takes all axes, sum(x, 1) one, sum(x, {{0, 2}}) several; with keepdim, reduced axes stay
// with size 1: sum(x, 1, true), sum(x, {{0, 2}, true}).

namespace gyre {

/// Sum over axes; boolean and integers give i64. The empty sum is 0.
Tensor sum(const Tensor& x, const ReduceAttrs& attrs = {});
/// Mean over axes; boolean and integers give f32. The empty mean is NaN.
Tensor mean(const Tensor& x, const ReduceAttrs& attrs = {});
/// Largest and smallest; NaN wins. Error{value} when there is nothing to reduce.
Tensor max(const Tensor& x, const ReduceAttrs& attrs = {});
Tensor min(const Tensor& x, const ReduceAttrs& attrs = {});
/// Position (i64) of the largest or smallest along one axis, or in row-major order of all; the
/// lowest among equals; NaN wins. Error{value} for several axes or nothing to reduce.
Tensor argmax(const Tensor& x, const ReduceAttrs& attrs = {});
Tensor argmin(const Tensor& x, const ReduceAttrs& attrs = {});

/// The same over one axis. (Templates, so that {} stays all axes.)
Tensor sum(const Tensor& x, std::integral auto axis, bool keepdim = false) {
  return sum(x, ReduceAttrs{{static_cast<int64_t>(axis)}, keepdim});
}
Tensor mean(const Tensor& x, std::integral auto axis, bool keepdim = false) {
  return mean(x, ReduceAttrs{{static_cast<int64_t>(axis)}, keepdim});
}
Tensor max(const Tensor& x, std::integral auto axis, bool keepdim = false) {
  return max(x, ReduceAttrs{{static_cast<int64_t>(axis)}, keepdim});
}
Tensor min(const Tensor& x, std::integral auto axis, bool keepdim = false) {
  return min(x, ReduceAttrs{{static_cast<int64_t>(axis)}, keepdim});
}
Tensor argmax(const Tensor& x, std::integral auto axis, bool keepdim = false) {
  return argmax(x, ReduceAttrs{{static_cast<int64_t>(axis)}, keepdim});
}
Tensor argmin(const Tensor& x, std::integral auto axis, bool keepdim = false) {
  return argmin(x, ReduceAttrs{{static_cast<int64_t>(axis)}, keepdim});
}

/// x summed over the axes along which `shape` was broadcast to x's shape: the reverse of expand.
/// Error{shape} when it does not broadcast.
Tensor sum_to(const Tensor& x, const Shape& shape);

}  // namespace gyre
