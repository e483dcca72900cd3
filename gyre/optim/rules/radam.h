#pragma once
#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct RadamOptions {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0;
  bool decoupled_weight_decay = false, maximize = false;
};
GYRE_FIELDS(RadamOptions, GYRE_FIELD(lr, "learning rate", .least = 0),
            GYRE_FIELD(beta1, "β1, decay rate of the first-moment estimate", .least = 0,
                       .below = 1),
            GYRE_FIELD(beta2, "β2, decay rate of the second-moment estimate", .least = 0,
                       .below = 1),
            GYRE_FIELD(eps, "added to the denominator for numerical stability", .least = 0),
            GYRE_FIELD(weight_decay, "L2 penalty: coefficient of the value added to the gradient",
                       .least = 0),
            GYRE_FIELD(decoupled_weight_decay,
                       "value -= lr weight_decay value, as in AdamW, in place of the L2 penalty"),
            GYRE_FIELD(maximize, kMaximizeDoc));

/// The update rule of RAdam, a step of Adam with other constants.
struct RadamRule {
  using Options = RadamOptions;
  static constexpr const OptimizerDef& def = radam_optimizer;
  static size_t states(const Options&) { return 2; }
  static AdamNumbers numbers(const Options& options, const Optimizer::StepInfo& info);
};

/// RAdam, rectified Adam: with the moments m̂, v of Adam, ρ = 2 / (1 - β2) - 1 and ρ_t = ρ - 2 t
/// β2^t / (1 - β2^t), value -= lr r m̂ √(1 - β2^t) / (√v + eps), r² = (ρ_t - 4) (ρ_t - 2) ρ / ((ρ
/// - 4) (ρ - 2) ρ_t), if ρ_t > 5, otherwise value -= lr m̂ (Liu et al. 2020). State "m", "v".
using Radam = OptimizerOf<RadamRule>;

extern template class OptimizerOf<RadamRule>;

}  // namespace gyre
