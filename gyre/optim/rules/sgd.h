#pragma once
#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct SgdOptions {
  double lr = 1e-3, momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false, maximize = false;
};
GYRE_FIELDS(SgdOptions, GYRE_FIELD(lr, "learning rate", .least = 0),
            GYRE_FIELD(momentum, "momentum factor", .least = 0),
            GYRE_FIELD(dampening, "dampening of the momentum"),
            GYRE_FIELD(weight_decay, "L2 penalty: coefficient of the value added to the gradient",
                       .least = 0),
            GYRE_FIELD(nesterov, "Nesterov momentum (Sutskever et al. 2013)"),
            GYRE_FIELD(maximize, kMaximizeDoc));

/// The update rule of SGD. Error{value} for nesterov without momentum or with dampening.
struct SgdRule {
  using Options = SgdOptions;
  static constexpr const OptimizerDef& def = sgd_optimizer;
  static void check(const SgdOptions& options, const OptimizerDef& of = def);
  static size_t states(const SgdOptions& options) { return options.momentum > 0 ? 1 : 0; }
  static SgdNumbers numbers(const SgdOptions& options, const Optimizer::StepInfo& info);
};

/// SGD: v = g at the first step, then v = momentum v + (1 - dampening) g; value -= lr v. Without
/// momentum value -= lr g. State "v" with momentum.
using Sgd = OptimizerOf<SgdRule>;

extern template class OptimizerOf<SgdRule>;

}  // namespace gyre
