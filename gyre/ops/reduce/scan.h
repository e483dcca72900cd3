#pragma once
#include "gyre/tensor/tensor.h"

// Cumulative sums, products and linear recurrences along an axis. Floats accumulate in double and
// are rounded once to the dtype of the result; long rows are split by length only, so results do
// not depend on the number of threads.

namespace gyre {

struct ScanAttrs {
  int64_t axis = -1;
  bool reverse = false;
};
GYRE_FIELDS(ScanAttrs, GYRE_FIELD(axis, "axis to accumulate along"),
            GYRE_FIELD(reverse, "accumulate from the last element to the first"));

/// Cumulative sum y_k = x_0 + ... + x_k, or product; reverse: x_k + ... + x_last. Boolean and
/// integers give i64. The gradient of cumprod uses no division and so is exact at zeros.
Tensor cumsum(const Tensor& x, const ScanAttrs& attrs = {});
Tensor cumprod(const Tensor& x, const ScanAttrs& attrs = {});
inline Tensor cumsum(const Tensor& x, int64_t axis) { return cumsum(x, ScanAttrs{axis, false}); }
inline Tensor cumprod(const Tensor& x, int64_t axis) { return cumprod(x, ScanAttrs{axis, false}); }

/// y_k = a_k y_(k-1) + b_k with y_(-1) = 0, along an axis; reverse: by y_(k+1), from the last on. a
/// and b have one shape; the result has their promoted dtype, f32 for integers. Error{shape}.
Tensor linear_recurrence(const Tensor& a, const Tensor& b, const ScanAttrs& attrs = {});

/// x shifted by one position along an axis, towards higher indices for `by` = 1 and lower for -1;
/// `fill` in the vacated position.
Tensor shifted(const Tensor& x, int64_t axis, int by, double fill);

}  // namespace gyre
