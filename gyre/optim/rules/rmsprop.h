#pragma once
#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct RmspropOptions {
  double lr = 1e-2, alpha = 0.99, eps = 1e-8, weight_decay = 0, momentum = 0;
  bool centered = false, maximize = false;
};
GYRE_FIELDS(RmspropOptions, GYRE_FIELD(lr, "learning rate", .least = 0),
            GYRE_FIELD(alpha, "decay rate of the average of squared gradients", .least = 0,
                       .below = 1),
            GYRE_FIELD(eps, "added to the denominator for numerical stability", .least = 0),
            GYRE_FIELD(weight_decay, "L2 penalty: coefficient of the value added to the gradient",
                       .least = 0),
            GYRE_FIELD(momentum, "momentum factor", .least = 0),
            GYRE_FIELD(centered, "divide by the standard deviation of the gradient"),
            GYRE_FIELD(maximize, kMaximizeDoc));

/// The update rule of RMSprop.
struct RmspropRule {
  using Options = RmspropOptions;
  static constexpr const OptimizerDef& def = rmsprop_optimizer;
  static size_t states(const Options& o) { return o.centered ? 3 : o.momentum > 0 ? 2 : 1; }
  static RmspropNumbers numbers(const Options& options, const Optimizer::StepInfo& info);
};

/// RMSprop (Hinton 2012): v = α v + (1 - α) g²; d = g / (√v + eps) or, centered, with the average
/// gradient a = α a + (1 - α) g, d = g / (√(v - a²) + eps); then b = momentum b + d and
/// value -= lr b (Graves 2013). State "v", with momentum or centered "b", and centered "a".
using Rmsprop = OptimizerOf<RmspropRule>;

extern template class OptimizerOf<RmspropRule>;

}  // namespace gyre
