#pragma once
#include "gyre/tensor/tensor.h"

// Running results along an axis. Floats gather in double and are rounded to the dtype of the result
// once; long rows are cut by their length, so that bits do not depend on threads.

namespace gyre {

struct ScanAttrs {
  int64_t axis = -1;
  bool reverse = false;
};
GYRE_FIELDS(ScanAttrs, GYRE_FIELD(axis, "axis to accumulate along"),
            GYRE_FIELD(reverse, "accumulate from the last element to the first"));

/// y_k = x_0 + ... + x_k, or times in place of plus; reverse: x_k + ... + x_last. Boolean and
/// integers give i64. The gradient of cumprod divides by nothing and so is exact at zeros.
Tensor cumsum(const Tensor& x, const ScanAttrs& attrs = {});
Tensor cumprod(const Tensor& x, const ScanAttrs& attrs = {});
inline Tensor cumsum(const Tensor& x, int64_t axis) { return cumsum(x, ScanAttrs{axis, false}); }
inline Tensor cumprod(const Tensor& x, int64_t axis) { return cumprod(x, ScanAttrs{axis, false}); }

/// y_k = a_k y_(k-1) + b_k with y_(-1) = 0, along an axis; reverse: by y_(k+1), from the last on. a
/// and b have one shape; the result has their promoted dtype, f32 for integers. Error{shape}.
Tensor linear_recurrence(const Tensor& a, const Tensor& b, const ScanAttrs& attrs = {});

/// x moved by one place along an axis, up for `by` = 1 and down for -1, with `fill` in the place
/// that is left.
Tensor shifted(const Tensor& x, int64_t axis, int by, double fill);

}  // namespace gyre
