#pragma once
#include "gyre/kernel/row_job.h"
#include "gyre/op/launch.h"

namespace gyre {

/// The common shape of the row operands, the axis and the type of the computation.
struct RowKind {
  Shape space;
  int axis;
  Compute compute;
};
/// Of a call whose operands infer() has accepted.
RowKind row_kind(const OpDef& op, const KernelArgs& args);

/// The forward pass of a row op.
struct RowPlan {
  RowJob job;
  bool across;  ///< rows side by side in the lanes of vectors
  bool split;   ///< else: threads split each row

  RowPlan(const OpDef& op, const KernelArgs& args, const RowKind& kind);
  /// Whether there is nothing to compute.
  bool empty() const {
    const RowSpec& q = job.spec;
    return job.walk.rows == 0 || (job.walk.length == 0 && q.out_scalars + q.hidden() == 0);
  }
};

/// The plan of a call whose operands infer() has accepted.
RowPlan plan_rowwise(const OpDef& op, const KernelArgs& args);
Status run_rowwise(const RowPlan& plan) noexcept;

}  // namespace gyre
