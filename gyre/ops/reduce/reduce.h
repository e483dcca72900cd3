#pragma once
#include <concepts>

#include "gyre/kernel/reduction.h"

// Reductions over all or any axes. Gradients flow to every element; ties of max and min share.
// sum(x) takes all axes, sum(x, 1) one, sum(x, {0, 2}) several; with keepdim, keep reduced axes
// with size 1: sum(x, 1, true), sum(x, {0, 2}, true).

namespace gyre {

/// Sum over axes; boolean and integers give i64. The empty sum is 0.
Tensor sum(const Tensor& x, const ReduceAttrs& attrs = {});
/// Mean over axes; boolean and integers give f32. The empty mean is NaN.
Tensor mean(const Tensor& x, const ReduceAttrs& attrs = {});
/// Product over axes; boolean and integers give i64. The empty product is 1. Its gradient uses no
/// division and so is exact at zeros.
Tensor prod(const Tensor& x, const ReduceAttrs& attrs = {});
/// True if any element, or all, are nonzero; boolean. NaN is nonzero. Empty: any is false, all is
/// true.
Tensor any(const Tensor& x, const ReduceAttrs& attrs = {});
Tensor all(const Tensor& x, const ReduceAttrs& attrs = {});
/// Maximum and minimum over axes; propagate NaN. Error{value} for an empty reduction.
Tensor max(const Tensor& x, const ReduceAttrs& attrs = {});
Tensor min(const Tensor& x, const ReduceAttrs& attrs = {});
/// Index (i64) of the maximum or minimum along one axis, or the flat index over all; the first of
/// equals; NaN wins. Error{value} for several axes or an empty reduction.
Tensor argmax(const Tensor& x, const ReduceAttrs& attrs = {});
Tensor argmin(const Tensor& x, const ReduceAttrs& attrs = {});

struct MomentAttrs {
  Shape axes;
  bool keepdim = false;
  double correction = 1;
};
GYRE_FIELDS(MomentAttrs, GYRE_FIELD(axes, "axes to reduce; all when empty"),
            GYRE_FIELD(keepdim, "keep reduced axes with size 1"),
            GYRE_FIELD(correction, "the divisor is count - correction; 1: unbiased"));

/// Variance sum (x - mean)^2 / max(n - correction, 0) over the n elements of axes, and standard
/// deviation, its square root; boolean and integers give f32. NaN for an empty reduction and, with
/// correction 1, for a single element. The gradient of std is 0 where the variance is 0.
Tensor var(const Tensor& x, const MomentAttrs& attrs = {});
Tensor std(const Tensor& x, const MomentAttrs& attrs = {});

struct PNormAttrs {
  Shape axes;
  bool keepdim = false;
  double p = 2;
};
GYRE_FIELDS(PNormAttrs, GYRE_FIELD(axes, "axes to reduce; all when empty"),
            GYRE_FIELD(keepdim, "keep reduced axes with size 1"),
            GYRE_FIELD(p, "order of the norm; 0, inf and -inf allowed"));

/// p-norm (sum |x|^p)^(1/p) over axes; the maximum and minimum |x| for p = inf and -inf, the number
/// of nonzero elements for p = 0. Boolean and integers give f32. Intermediate powers neither
/// overflow nor underflow. The gradient is 0 at the zero vector, and where |x|^p is 0 or infinite.
/// Error{value} when p is NaN, and for an empty reduction with p < 0 or p = inf.
Tensor norm(const Tensor& x, const PNormAttrs& attrs = {});

/// An axis in a list of axes, which a bool is not.
struct AxisItem {
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  constexpr AxisItem(I number) : axis(static_cast<int64_t>(number)) {}
  int64_t axis;
};
template <size_t n>
Shape axes_of(const AxisItem (&list)[n]) {
  Shape axes;
  for (const AxisItem& item : list) axes.push_back(item.axis);
  return axes;
}

/// Overloads for one axis (templates, so that {} means all axes) and for axes in braces.
#define GYRE_ALONG_AXIS(name, Attrs)                                             \
  Tensor name(const Tensor& x, std::integral auto axis, bool keepdim = false) {  \
    return name(x, Attrs{{static_cast<int64_t>(axis)}, keepdim});                \
  }                                                                              \
  template <size_t n>                                                            \
  Tensor name(const Tensor& x, const AxisItem(&axes)[n], bool keepdim = false) { \
    return name(x, Attrs{axes_of(axes), keepdim});                               \
  }
GYRE_ALONG_AXIS(sum, ReduceAttrs)
GYRE_ALONG_AXIS(mean, ReduceAttrs)
GYRE_ALONG_AXIS(prod, ReduceAttrs)
GYRE_ALONG_AXIS(any, ReduceAttrs)
GYRE_ALONG_AXIS(all, ReduceAttrs)
GYRE_ALONG_AXIS(max, ReduceAttrs)
GYRE_ALONG_AXIS(min, ReduceAttrs)
GYRE_ALONG_AXIS(argmax, ReduceAttrs)
GYRE_ALONG_AXIS(argmin, ReduceAttrs)
GYRE_ALONG_AXIS(var, MomentAttrs)
GYRE_ALONG_AXIS(std, MomentAttrs)
GYRE_ALONG_AXIS(norm, PNormAttrs)
#undef GYRE_ALONG_AXIS

/// Sums x over the axes along which `shape` broadcasts to x's shape: the transpose of expand.
/// Error{shape} if it does not broadcast.
Tensor sum_to(const Tensor& x, const Shape& shape);

}  // namespace gyre
