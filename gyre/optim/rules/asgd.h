#pragma once
#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct AsgdOptions {
  double lr = 1e-2, lambd = 1e-4, alpha = 0.75, t0 = 1e6, weight_decay = 0;
  bool maximize = false;
};
GYRE_FIELDS(AsgdOptions, GYRE_FIELD(lr, "learning rate of the first step", .least = 0),
            GYRE_FIELD(lambd, "decay λ of the value and of the rate"),
            GYRE_FIELD(alpha, "exponent α of the decay of the rate: lr / (1 + λ lr t)^α"),
            GYRE_FIELD(t0, "step after which values are averaged"),
            GYRE_FIELD(weight_decay, "L2 penalty: coefficient of the value added to the gradient",
                       .least = 0),
            GYRE_FIELD(maximize, kMaximizeDoc));

/// The update rule of ASGD.
struct AsgdRule {
  using Options = AsgdOptions;
  static constexpr const OptimizerDef& def = asgd_optimizer;
  static size_t states(const Options&) { return 1; }
  static AsgdNumbers numbers(const Options& options, const Optimizer::StepInfo& info);
};

/// Averaged SGD: with the rate η = lr / (1 + λ lr (t - 1))^α, or lr at the first step,
/// value = (1 - λ η) value - η g, and the average a += (value - a) / max(1, t - 1 - t0)
/// (Polyak and Juditsky 1992; Bottou 2010). State "average".
using Asgd = OptimizerOf<AsgdRule>;

extern template class OptimizerOf<AsgdRule>;

}  // namespace gyre
