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
