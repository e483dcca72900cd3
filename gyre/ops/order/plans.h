#pragma once
#include "gyre/kernel/strided.h"
#include "gyre/ops/order/order.h"

// Plans (op/launch.h) of sorting and searching by the order of order.h.

namespace gyre {

/// Lines along an axis of the operand (0) and of the results, values (1) and indices (2), which may
/// be shorter. If values has no data it has the layout of indices and is not written.
struct OrderRows {
  StridedLoop lines;
  int64_t length;   ///< of a line of the operand
  int64_t step[3];  ///< along the lines, in elements
};

/// sort, argsort: the values of each line in order, and the i64 indices that they come from.
struct SortPlan {
  OrderRows rows;
  DType dtype;
  bool descending, with_values;
  std::byte* scratch;  ///< two Entries (sort_entries.h) for each element of a line, if it is long
};

/// topk: the same for the first attrs.k of each line.
struct TopkPlan {
  OrderRows rows;
  TopkAttrs attrs;
  DType dtype;
  std::byte* scratch;  ///< Entries of one line, if they are many
};

/// searchsorted: the number of elements of a row of `sorted` below each of in_row values, with
/// `right` also of those equal to it, as i64.
struct SearchPlan {
  StridedLoop lines;  ///< operands: places, values, sorted, at their first element
  int64_t length, in_row, out_step, value_step, sorted_step;
  bool right;
  DType dtype, value_dtype;  ///< they differ for a number, the only value, which is cast to dtype
};

}  // namespace gyre
