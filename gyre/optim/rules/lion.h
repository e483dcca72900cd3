#pragma once
#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct LionOptions {
  double lr = 1e-4, beta1 = 0.9, beta2 = 0.99, weight_decay = 0;
  bool maximize = false;
};
GYRE_FIELDS(
    LionOptions, GYRE_FIELD(lr, "learning rate: size of the step of every element", .least = 0),
    GYRE_FIELD(beta1, "β1, weight of the momentum in the update direction", .least = 0, .below = 1),
    GYRE_FIELD(beta2, "β2, decay rate of the momentum", .least = 0, .below = 1),
    GYRE_FIELD(weight_decay, "decoupled weight decay: value -= lr weight_decay value", .least = 0),
    GYRE_FIELD(maximize, kMaximizeDoc));

/// The update rule of Lion.
struct LionRule {
  using Options = LionOptions;
  static constexpr const OptimizerDef& def = lion_optimizer;
  static size_t states(const LionOptions&) { return 1; }
  static LionNumbers numbers(const LionOptions& options, const Optimizer::StepInfo& info);
};

/// Lion: value -= lr (sign(β1 m + (1 - β1) g) + weight_decay value), then m = β2 m + (1 - β2) g
/// (Chen et al. 2023, algorithm 2). The sign of 0 is 0, that of NaN is NaN. State "m".
using Lion = OptimizerOf<LionRule>;

extern template class OptimizerOf<LionRule>;

}  // namespace gyre
