#include "gyre/optim/rules/rmsprop.h"

#include "gyre/optim/rules/optim_ops.h"

namespace gyre {

constinit const OptimizerDef rmsprop_optimizer{
    .name = "rmsprop",
    .class_name = "RMSprop",
    .doc =
        "RMSprop: value -= lr g / (√v + eps) with the running average v of squared gradients "
        "(Hinton 2012), optionally centered and with momentum (Graves 2013)",
    .options = &record_of<RmspropOptions>,
    .step = &rmsprop_step_def,
    .make = Rmsprop::make};

RmspropNumbers RmspropRule::numbers(const RmspropOptions& o, const Optimizer::StepInfo& info) {
  return {info.gradient, o.lr, o.alpha, o.eps, o.weight_decay, o.momentum};
}

template class OptimizerOf<RmspropRule>;

}  // namespace gyre
