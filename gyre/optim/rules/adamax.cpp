#include "gyre/optim/rules/adamax.h"

#include <cmath>

#include "gyre/optim/rules/optim_ops.h"

namespace gyre {

constinit const OptimizerDef adamax_optimizer{
    .name = "adamax",
    .class_name = "Adamax",
    .doc =
        "Adamax: Adam with a decaying maximum of the gradient's size in place of the root of its "
        "second moment (Kingma and Ba 2015)",
    .options = &record_of<AdamaxOptions>,
    .step = &adamax_step_def,
    .make = Adamax::make};

AdamaxNumbers AdamaxRule::numbers(const AdamaxOptions& o, const Optimizer::StepInfo& info) {
  const double rate = o.lr / (1 - std::pow(o.beta1, static_cast<double>(info.step)));
  return {info.gradient, o.beta1, o.beta2, rate, o.eps, o.weight_decay};
}

template class OptimizerOf<AdamaxRule>;

}  // namespace gyre
