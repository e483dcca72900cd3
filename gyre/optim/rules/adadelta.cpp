#include "gyre/optim/rules/adadelta.h"

#include "gyre/optim/rules/optim_ops.h"

namespace gyre {

constinit const OptimizerDef adadelta_optimizer{
    .name = "adadelta",
    .class_name = "Adadelta",
    .doc =
        "Adadelta: steps as large as the average of earlier steps, relative to the average size "
        "of the gradient (Zeiler 2012)",
    .options = &record_of<AdadeltaOptions>,
    .step = &adadelta_step_def,
    .make = Adadelta::make};

AdadeltaNumbers AdadeltaRule::numbers(const AdadeltaOptions& o, const Optimizer::StepInfo& info) {
  return {info.gradient, o.lr, o.rho, o.eps, o.weight_decay};
}

template class OptimizerOf<AdadeltaRule>;

}  // namespace gyre
