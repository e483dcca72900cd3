#pragma once
#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct AdamaxOptions {
  double lr = 2e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0;
  bool maximize = false;
};
GYRE_FIELDS(AdamaxOptions, GYRE_FIELD(lr, "learning rate", .least = 0),
            GYRE_FIELD(beta1, "β1, decay rate of the first-moment estimate", .least = 0,
                       .below = 1),
            GYRE_FIELD(beta2, "β2, decay rate of the largest gradient", .least = 0, .below = 1),
            GYRE_FIELD(eps, "added to the size of the gradient for numerical stability",
                       .least = 0),
            GYRE_FIELD(weight_decay, "L2 penalty: coefficient of the value added to the gradient",
                       .least = 0),
            GYRE_FIELD(maximize, kMaximizeDoc));

/// The update rule of Adamax.
struct AdamaxRule {
  using Options = AdamaxOptions;
  static constexpr const OptimizerDef& def = adamax_optimizer;
  static size_t states(const Options&) { return 2; }
  static AdamaxNumbers numbers(const Options& options, const Optimizer::StepInfo& info);
};

/// Adamax, Adam with the infinity norm: m = β1 m + (1 - β1) g, u = max(β2 u, |g| + eps),
/// value -= lr / (1 - β1^t) m / u (Kingma and Ba 2015, algorithm 2). State "m", "u".
using Adamax = OptimizerOf<AdamaxRule>;

extern template class OptimizerOf<AdamaxRule>;

}  // namespace gyre
