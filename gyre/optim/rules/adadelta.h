#pragma once
#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct AdadeltaOptions {
  double lr = 1, rho = 0.9, eps = 1e-6, weight_decay = 0;
  bool maximize = false;
};
GYRE_FIELDS(AdadeltaOptions, GYRE_FIELD(lr, "learning rate: factor of the update", .least = 0),
            GYRE_FIELD(rho, "decay rate of the averages of squared gradients and updates",
                       .least = 0, .below = 1),
            GYRE_FIELD(eps, "added to both averages for numerical stability", .least = 0),
            GYRE_FIELD(weight_decay, "L2 penalty: coefficient of the value added to the gradient",
                       .least = 0),
            GYRE_FIELD(maximize, kMaximizeDoc));

/// The update rule of Adadelta.
struct AdadeltaRule {
  using Options = AdadeltaOptions;
  static constexpr const OptimizerDef& def = adadelta_optimizer;
  static size_t states(const Options&) { return 2; }
  static AdadeltaNumbers numbers(const Options& options, const Optimizer::StepInfo& info);
};

/// Adadelta: v = ρ v + (1 - ρ) g²; the update d = √(u + eps) / √(v + eps) g; value -= lr d; then
/// u = ρ u + (1 - ρ) d² (Zeiler 2012). State "v", "u".
using Adadelta = OptimizerOf<AdadeltaRule>;

extern template class OptimizerOf<AdadeltaRule>;

}  // namespace gyre
