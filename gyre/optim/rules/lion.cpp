#include "gyre/optim/rules/lion.h"

#include "gyre/optim/rules/optim_ops.h"

namespace gyre {

constinit const OptimizerDef lion_optimizer{
    .name = "lion",
    .class_name = "Lion",
    .doc =
        "Lion: steps of size lr along the sign of the interpolated momentum, with decoupled "
        "weight decay (Chen et al. 2023)",
    .options = &record_of<LionOptions>,
    .step = &lion_step_def,
    .make = Lion::make};

LionNumbers LionRule::numbers(const LionOptions& o, const Optimizer::StepInfo& info) {
  return {info.gradient, o.lr, 1 - o.lr * o.weight_decay, o.beta1, o.beta2};
}

template class OptimizerOf<LionRule>;

}  // namespace gyre
