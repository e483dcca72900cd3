#pragma once
#include "gyre/kernel/strided.h"
#include "gyre/op/launch.h"

namespace gyre {

/// A call of a pointwise op. Operands are the inputs, then the results; in the gradient pass the
/// cotangent, the inputs, then the gradients of the inputs.
struct PointwisePlan {
  const OpDef* op;
  Pass pass;
  Compute compute;
  int inputs;
  /// The number of elements if they are few and all operands have one layout: `data` holds their
  /// addresses. Otherwise -1: `loop` holds the operands.
  int64_t alike = -1;
  union {
    std::byte* data[kMaxOperands];
    StridedLoop loop;
  };

  /// `space` is the shape of the result; results without data are not wanted.
  PointwisePlan(const OpDef& op, Pass pass, Compute compute, const Shape& space,
                std::span<const View> in, std::span<const View> out);
};

Status run_pointwise(const PointwisePlan& plan) noexcept;

}  // namespace gyre
