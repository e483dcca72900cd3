#pragma once
#include "gyre/kernel/rows/row_job.h"

namespace gyre {

/// The plan (op/launch.h) of the rows of cross entropy by class: fails with the first target that
/// is not a class (in [0, rows.job.walk.length)) nor `ignored` before it writes anything, then runs
/// `rows` unless that is empty().
struct TargetPlan {
  RowPlan rows;
  StridedLoop target;
  int64_t ignored;
};

}  // namespace gyre
