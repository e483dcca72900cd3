#pragma once
#include "gyre/tensor/tensor.h"

// Ops that compare elements. NaN counts as larger than every number and equal to NaN, -0 as equal
// to 0. Among equals the one with the lower index comes first. Indices are i64. Gradients flow
// through values.

namespace gyre {

struct SortAttrs {
  int64_t axis = -1;
  bool descending = false;
};
GYRE_FIELDS(SortAttrs, GYRE_FIELD(axis, "axis to sort along"),
            GYRE_FIELD(descending, "sort in descending order"));

/// Values and where along the axis they were.
struct SortResult {
  Tensor values, indices;
};

/// x in order along an axis. Stable; NaN comes last, and first when descending.
SortResult sort(const Tensor& x, const SortAttrs& attrs = {});
/// The indices of sort alone.
Tensor argsort(const Tensor& x, const SortAttrs& attrs = {});

struct TopkAttrs {
  int64_t k = 1, axis = -1;
  bool largest = true, sorted = true;
};
GYRE_FIELDS(TopkAttrs, GYRE_FIELD(k, "number of elements"),
            GYRE_FIELD(axis, "axis to search along"),
            GYRE_FIELD(largest, "return the largest elements, otherwise the smallest"),
            GYRE_FIELD(sorted, "return elements in sorted order, otherwise in the order of x"));

/// The k largest or smallest along an axis: what sort has first. Error{value} unless k is in
/// 0..size of the axis.
SortResult topk(const Tensor& x, const TopkAttrs& attrs);
inline SortResult topk(const Tensor& x, int64_t k, int64_t axis = -1) {
  return topk(x, TopkAttrs{k, axis});
}

struct SearchAttrs {
  bool right = false;
};
GYRE_FIELDS(SearchAttrs, GYRE_FIELD(right, "insert after equal elements, otherwise before"));

/// Where each value would be inserted to keep a row sorted: sorted [..., n], values [..., m] with
/// the same leading axes, or sorted [n] for values of any shape; [..., m]. What rows that are not
/// sorted give is open, but in 0..n. Error{shape, dtype}.
Tensor searchsorted(const Tensor& sorted, const Tensor& values, bool right = false);

/// The distinct values [n] in order, the index of each element of x among them (its shape), and how
/// often each occurs [n].
struct UniqueResult {
  Tensor values, inverse, counts;
};
/// Distinct values of x, taken as one list. Not differentiable.
UniqueResult unique(const Tensor& x);

struct BincountAttrs {
  int64_t minlength = 0;
};
GYRE_FIELDS(BincountAttrs, GYRE_FIELD(minlength, "minimum length of the result"));

/// How often each number occurs in x [m], integers not below 0: [max(largest + 1, minlength)], i64;
/// with weights [m], their sums in their dtype (i64 for integers and boolean). Error{shape, dtype};
/// Error{index} for a negative number; Error{value} for a negative minlength.
Tensor bincount(const Tensor& x, const Tensor& weights = {}, int64_t minlength = 0);

}  // namespace gyre
