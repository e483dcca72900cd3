#pragma once
#include "gyre/tensor/tensor.h"

// Sorting and searching. NaN compares larger than every number and equal to NaN, -0 equal to 0.
// Ties keep the order of their indices. Indices are i64. Gradients flow through values.

namespace gyre {

struct SortAttrs {
  int64_t axis = -1;
  bool descending = false;
};
GYRE_FIELDS(SortAttrs, GYRE_FIELD(axis, "axis to sort along"),
            GYRE_FIELD(descending, "sort in descending order"));

/// Sorted values and their indices along the axis.
struct SortResult {
  Tensor values, indices;
};

/// Sorts x along an axis. Stable; NaN comes last, or first when descending.
SortResult sort(const Tensor& x, const SortAttrs& attrs = {});
/// The indices that sort x along an axis.
Tensor argsort(const Tensor& x, const SortAttrs& attrs = {});

struct TopkAttrs {
  int64_t k = 1, axis = -1;
  bool largest = true, sorted = true;
};
GYRE_FIELDS(TopkAttrs, GYRE_FIELD(k, "number of elements"),
            GYRE_FIELD(axis, "axis along which elements are selected"),
            GYRE_FIELD(largest, "return the largest elements, otherwise the smallest"),
            GYRE_FIELD(sorted, "return elements in sorted order, otherwise in the order of x"));

/// The k largest or smallest elements along an axis: the first k of sort. Error{value} unless 0 <=
/// k <= size of the axis.
SortResult topk(const Tensor& x, const TopkAttrs& attrs);
inline SortResult topk(const Tensor& x, int64_t k, int64_t axis = -1) {
  return topk(x, TopkAttrs{k, axis});
}

struct KthAttrs {
  int64_t k = 1, axis = -1;
  bool keepdim = false;
};
GYRE_FIELDS(KthAttrs, GYRE_FIELD(k, "rank of the element, from 1 for the smallest"),
            GYRE_FIELD(axis, "axis along which elements are ranked"),
            GYRE_FIELD(keepdim, "keep the axis with size 1"));

/// The k-th smallest element along an axis and its index. Error{value} unless 1 <= k <= size of the
/// axis.
SortResult kthvalue(const Tensor& x, const KthAttrs& attrs);

struct MedianAttrs {
  int64_t axis = -1;
  bool keepdim = false;
};
GYRE_FIELDS(MedianAttrs, GYRE_FIELD(axis, "axis along which the median is taken"),
            GYRE_FIELD(keepdim, "keep the axis with size 1"));

/// The median along an axis and its index: the lower of the two middle elements for an even number;
/// the first NaN if there is one. Error{value} for an empty axis.
SortResult median(const Tensor& x, const MedianAttrs& attrs = {});

/// Value between two neighbours i <= q (n - 1) <= j of the sorted elements.
enum class Interpolation : uint8_t { linear, lower, higher, midpoint, nearest };
inline constexpr const char* kInterpolationNames[] = {"linear", "lower", "higher", "midpoint",
                                                      "nearest"};
template <>
inline constexpr std::span<const char* const> kChoices<Interpolation> = kInterpolationNames;

struct QuantileAttrs {
  double q = 0.5;
  Shape axes{};
  bool keepdim = false;
  Interpolation interpolation = Interpolation::linear;
};
GYRE_FIELDS(QuantileAttrs, GYRE_FIELD(q, "fraction of the elements below, in [0, 1]"),
            GYRE_FIELD(axes, "axes to reduce; all when empty"),
            GYRE_FIELD(keepdim, "keep reduced axes with size 1"),
            GYRE_FIELD(interpolation,
                       "value between two elements: linear, the lower or higher one, their "
                       "midpoint, or the nearest"));

/// Quantile over axes (numpy.quantile): the element at q (n - 1) of the sorted elements. NaN if one
/// of them is NaN; boolean and integers give f32. Error{value} for q outside [0, 1] and for an
/// empty reduction.
Tensor quantile(const Tensor& x, const QuantileAttrs& attrs);
inline Tensor quantile(const Tensor& x, double q) { return quantile(x, QuantileAttrs{q}); }

struct SearchAttrs {
  bool right = false;
};
GYRE_FIELDS(SearchAttrs, GYRE_FIELD(right, "insert after equal elements, otherwise before"));

/// Indices at which values would be inserted to keep a row sorted: sorted [..., n], values [..., m]
/// with the same leading axes, or sorted [n] for values of any shape; [..., m]. For unsorted rows
/// the result is unspecified but in 0..n. Error{shape, dtype}; value for a number that does not fit
/// the dtype of `sorted`.
Tensor searchsorted(const Tensor& sorted, const Tensor& values, bool right = false);

/// Sorted unique values [n], the index of each element of x in them (shape of x), and their counts
/// [n].
struct UniqueResult {
  Tensor values, inverse, counts;
};
/// Unique values of the flattened x. Not differentiable.
UniqueResult unique(const Tensor& x);

struct BincountAttrs {
  int64_t minlength = 0;
};
GYRE_FIELDS(BincountAttrs, GYRE_FIELD(minlength, "minimum length of the result"));

/// Counts of each value in x [m], non-negative integers: [max(max(x) + 1, minlength)], i64; with
/// weights [m], the sums of weights in their dtype (i64 for integers and boolean). Error{shape,
/// dtype}; Error{index} for a negative number; Error{value} for a negative minlength.
Tensor bincount(const Tensor& x, const Tensor& weights = {}, int64_t minlength = 0);

}  // namespace gyre
