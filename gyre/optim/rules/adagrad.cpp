#include "gyre/optim/rules/adagrad.h"

#include "gyre/optim/rules/optim_ops.h"

namespace gyre {

constinit const OptimizerDef adagrad_optimizer{
    .name = "adagrad",
    .class_name = "Adagrad",
    .doc =
        "Adagrad: value -= lr g / (√sum + eps) with the sum of all squared gradients "
        "(Duchi et al. 2011)",
    .options = &record_of<AdagradOptions>,
    .step = &adagrad_step_def,
    .make = Adagrad::make};

AdagradNumbers AdagradRule::numbers(const AdagradOptions& o, const Optimizer::StepInfo& info) {
  const double before = static_cast<double>(info.step - 1);
  return {info.gradient, o.lr / (1 + before * o.lr_decay), o.eps, o.weight_decay,
          o.initial_accumulator_value};
}

template class OptimizerOf<AdagradRule>;

}  // namespace gyre
