#include "gyre/optim/rules/radam.h"

#include <cmath>

#include "gyre/optim/rules/optim_ops.h"

namespace gyre {

constinit const OptimizerDef radam_optimizer{
    .name = "radam",
    .class_name = "RAdam",
    .doc = "RAdam: Adam with a rectified learning rate in place of a warm-up (Liu et al. 2020)",
    .options = &record_of<RadamOptions>,
    .step = &adam_step_def,
    .make = Radam::make};

AdamNumbers RadamRule::numbers(const RadamOptions& o, const Optimizer::StepInfo& info) {
  const auto t = static_cast<double>(info.step);
  const double power = std::pow(o.beta2, t), limit = 2 / (1 - o.beta2) - 1;
  const double length = limit - 2 * t * power / (1 - power);  // of the average of squares
  const double rate = o.lr / (1 - std::pow(o.beta1, t));
  const bool decoupled = o.decoupled_weight_decay;
  AdamNumbers numbers{.gradient = info.gradient,
                      .beta1 = o.beta1,
                      .beta2 = o.beta2,
                      .rate = rate,
                      .gradient_rate = 0,
                      .root_correction = 0,  // the denominator is 1
                      .eps = 1,
                      .keep = decoupled ? 1 - o.lr * o.weight_decay : 1,
                      .l2 = decoupled ? 0 : o.weight_decay};
  if (length > 5) {
    numbers.rate = rate * std::sqrt((length - 4) * (length - 2) * limit /
                                    ((limit - 4) * (limit - 2) * length));
    numbers.root_correction = 1 / std::sqrt(1 - power);
    numbers.eps = o.eps * numbers.root_correction;
  }
  return numbers;
}

template class OptimizerOf<RadamRule>;

}  // namespace gyre
