#pragma once
#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct NadamOptions {
  double lr = 2e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0, momentum_decay = 4e-3;
  bool decoupled_weight_decay = false, maximize = false;
};
GYRE_FIELDS(
    NadamOptions, GYRE_FIELD(lr, "learning rate", .least = 0),
    GYRE_FIELD(beta1, "β1, decay rate of the first-moment estimate", .least = 0, .below = 1),
    GYRE_FIELD(beta2, "β2, decay rate of the second-moment estimate", .least = 0, .below = 1),
    GYRE_FIELD(eps, "added to the denominator for numerical stability", .least = 0),
    GYRE_FIELD(weight_decay, "L2 penalty: coefficient of the value added to the gradient",
               .least = 0),
    GYRE_FIELD(momentum_decay, "decay ψ of β1: β1 (1 - 0.96^(t ψ) / 2) at step t", .least = 0),
    GYRE_FIELD(decoupled_weight_decay,
               "value -= lr weight_decay value, as in AdamW, in place of the L2 penalty"),
    GYRE_FIELD(maximize, kMaximizeDoc));

/// The update rule of NAdam, a step of Adam with other constants.
struct NadamRule {
  using Options = NadamOptions;
  static constexpr const OptimizerDef& def = nadam_optimizer;
  static size_t states(const Options&) { return 2; }
  static AdamNumbers numbers(const Options& options, const Optimizer::StepInfo& info);
};

/// NAdam, Adam with Nesterov momentum: with μ_t = β1 (1 - 0.96^(t momentum_decay) / 2) and the
/// product P_t of μ_1 to μ_t, the moments m, v and v̂ of Adam, value -= lr (μ_{t+1} / (1 -
/// P_{t+1}) m + (1 - μ_t) / (1 - P_t) g) / (√v̂ + eps) (Dozat 2016). State "m", "v".
using Nadam = OptimizerOf<NadamRule>;

extern template class OptimizerOf<NadamRule>;

}  // namespace gyre
