#include "gyre/optim/rules/asgd.h"

#include <algorithm>
#include <cmath>

#include "gyre/optim/rules/optim_ops.h"

namespace gyre {

constinit const OptimizerDef asgd_optimizer{
    .name = "asgd",
    .class_name = "ASGD",
    .doc =
        "averaged SGD: SGD with a decaying rate, and the average of the values as state "
        "(Polyak and Juditsky 1992)",
    .options = &record_of<AsgdOptions>,
    .step = &asgd_step_def,
    .make = Asgd::make};

AsgdNumbers AsgdRule::numbers(const AsgdOptions& o, const Optimizer::StepInfo& info) {
  const auto before = static_cast<double>(info.step - 1);
  const double rate = o.lr / std::pow(1 + o.lambd * o.lr * before, o.alpha);
  return {info.gradient, rate, 1 - o.lambd * rate, o.weight_decay,
          1 / std::max(1.0, before - o.t0)};
}

template class OptimizerOf<AsgdRule>;

}  // namespace gyre
