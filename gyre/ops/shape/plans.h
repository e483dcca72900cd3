#pragma once
#include "gyre/kernel/strided.h"

// Plans (op/launch.h) of ops that move elements; that of copies is in kernel/copy.h.

namespace gyre {

/// overlap_add: each line of the result is the sum of its windows at 0, step, 2 step, ..., added
/// from the first to the last in f64 and rounded once; integers wrap.
struct OverlapAddPlan {
  StridedLoop lines;  ///< the result and x, without the axis and the windows
  int64_t count, size, step, length;
  int64_t stride, inside,
      out_stride;  ///< from window to window, in one, of the result; in elements
};

/// tril, triu: zeros one side of a diagonal of contiguous matrices, which are copies of x already.
struct TrianglePlan {
  std::byte* data;
  int64_t size, lines, rows, columns;  ///< size: bytes of an element; lines: of all matrices
  int64_t first_edge;  ///< column of the edge in the first row of a matrix; may be outside
  bool lower;          ///< zeros are the columns from the edge on, else those before it
};

}  // namespace gyre
