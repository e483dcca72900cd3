#include "gyre/optim/rules/rprop.h"

#include "gyre/base/error.h"
#include "gyre/optim/rules/optim_ops.h"

namespace gyre {

constinit const OptimizerDef rprop_optimizer{
    .name = "rprop",
    .class_name = "Rprop",
    .doc =
        "Rprop, for gradients of whole datasets: steps that depend on the signs of the gradient "
        "only (Riedmiller and Braun 1993)",
    .options = &record_of<RpropOptions>,
    .step = &rprop_step_def,
    .make = Rprop::make};

void RpropRule::check(const RpropOptions& o) {
  if (o.min_step <= o.max_step) return;
  throw Error(Code::value, def.name,
              {"`min_step` must not exceed `max_step`, got ", o.min_step, " and ", o.max_step});
}

RpropNumbers RpropRule::numbers(const RpropOptions& o, const Optimizer::StepInfo& info) {
  return {info.gradient, info.step == 1 ? o.lr : 0, o.eta_minus, o.eta_plus, o.min_step,
          o.max_step};
}

template class OptimizerOf<RpropRule>;

}  // namespace gyre
