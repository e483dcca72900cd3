#pragma once
#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct AdagradOptions {
  double lr = 1e-2, lr_decay = 0, weight_decay = 0, initial_accumulator_value = 0, eps = 1e-10;
  bool maximize = false;
};
GYRE_FIELDS(AdagradOptions, GYRE_FIELD(lr, "learning rate", .least = 0),
            GYRE_FIELD(lr_decay, "decay of the rate: lr / (1 + (step - 1) lr_decay)", .least = 0),
            GYRE_FIELD(weight_decay, "L2 penalty: coefficient of the value added to the gradient",
                       .least = 0),
            GYRE_FIELD(initial_accumulator_value, "added to the sum of squared gradients",
                       .least = 0),
            GYRE_FIELD(eps, "added to the denominator for numerical stability", .least = 0),
            GYRE_FIELD(maximize, kMaximizeDoc));

/// The update rule of Adagrad.
struct AdagradRule {
  using Options = AdagradOptions;
  static constexpr const OptimizerDef& def = adagrad_optimizer;
  static size_t states(const Options&) { return 1; }
  static AdagradNumbers numbers(const Options& options, const Optimizer::StepInfo& info);
};

/// Adagrad: sum += g²; value -= lr / (1 + (t - 1) lr_decay) g / (√(sum +
/// initial_accumulator_value) + eps) (Duchi et al. 2011). State "sum".
using Adagrad = OptimizerOf<AdagradRule>;

extern template class OptimizerOf<AdagradRule>;

}  // namespace gyre
