#pragma once
#include "gyre/base/status.h"
#include "gyre/ops/sparse/plans.h"

namespace gyre {

/// The run of semiring_matmul on the host.
Status run_semiring(const SemiringPlan& p) noexcept;
/// The run of semiring_fixpoint on the host.
Status run_fixpoint(const FixpointPlan& p) noexcept;

}  // namespace gyre
