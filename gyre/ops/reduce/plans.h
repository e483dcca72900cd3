#pragma once
#include "gyre/kernel/strided.h"

// Plans (op/launch.h) of arg reductions and scans; that of reductions is in kernel/reduction.h.

namespace gyre {

/// argmax, argmin: out[k], contiguous, is the position of the best of the `length` reduced elements
/// of result k, the first of equal ones; NaN is better than all numbers.
struct ArgExtremumPlan {
  StridedLoop kept, reduced;  ///< elements of one result begin at kept.offset(0, k)
  int64_t results, length;
  Compute compute;
  int64_t* out;
};

/// Contiguous operands split at an axis.
struct ScanCut {
  int64_t outer = 1, length = 1, inner = 1;
  constexpr ScanCut(const Shape& shape, int axis) {
    for (int i = 0; i < shape.rank; ++i)
      (i < axis ? outer : i == axis ? length : inner) *= shape[i];
  }
  constexpr int64_t pieces() const { return inner == 1 ? (length + kGrain - 1) / kGrain : 1; }
};

/// cumsum, cumprod, linear_recurrence: y_k = y_(k-1) + x_k, y_(k-1) x_k or a_k y_(k-1) + b_k along
/// the axis, from the end if `reverse`; in f64 and rounded once, integers wrap.
struct ScanPlan {
  const std::byte* in[2];    ///< contiguous, of the dtype of the result; the last may be `out`
  std::byte *out, *scratch;  ///< scratch: two numbers of 8 bytes for each of several pieces
  DType dtype;
  ScanCut cut;
  bool reverse;
};

}  // namespace gyre
