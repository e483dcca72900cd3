#pragma once
#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct RpropOptions {
  double lr = 1e-2, eta_minus = 0.5, eta_plus = 1.2, min_step = 1e-6, max_step = 50;
  bool maximize = false;
};
GYRE_FIELDS(RpropOptions, GYRE_FIELD(lr, "size of the first step of every element", .least = 0),
            GYRE_FIELD(eta_minus, "factor of the step where the gradient changed its sign",
                       .above = 0, .below = 1),
            GYRE_FIELD(eta_plus, "factor of the step where the gradient kept its sign", .above = 1),
            GYRE_FIELD(min_step, "least step", .least = 0),
            GYRE_FIELD(max_step, "largest step", .least = 0), GYRE_FIELD(maximize, kMaximizeDoc));

/// The update rule of Rprop. Error{value} for min_step above max_step.
struct RpropRule {
  using Options = RpropOptions;
  static constexpr const OptimizerDef& def = rprop_optimizer;
  static void check(const Options& options);
  static size_t states(const Options&) { return 2; }
  static RpropNumbers numbers(const Options& options, const Optimizer::StepInfo& info);
};

/// Resilient backpropagation, for gradients of whole datasets: each element has a step of its own,
/// lr at first, times eta_plus where the gradient has the sign of the one before, times eta_minus
/// where it has the opposite sign, between min_step and max_step; value -= step sign(g), with 0 for
/// a gradient that changed its sign (Riedmiller and Braun 1993). State "gradient", "size".
using Rprop = OptimizerOf<RpropRule>;

extern template class OptimizerOf<RpropRule>;

}  // namespace gyre
