#include "gyre/optim/rules/sgd.h"

#include "gyre/base/error.h"
#include "gyre/optim/rules/optim_ops.h"

namespace gyre {

constinit const OptimizerDef sgd_optimizer{
    .name = "sgd",
    .class_name = "SGD",
    .doc = "stochastic gradient descent with optional (Nesterov) momentum: value -= lr v",
    .options = &record_of<SgdOptions>,
    .step = &sgd_step_def,
    .make = Sgd::make};

void SgdRule::check(const SgdOptions& o, const OptimizerDef& of) {
  if (o.nesterov && (o.momentum == 0 || o.dampening != 0)) {
    throw Error(Code::value, of.name, "nesterov requires momentum above 0 and dampening 0");
  }
}

SgdNumbers SgdRule::numbers(const SgdOptions& o, const Optimizer::StepInfo& info) {
  double undamped = info.step == 1 ? 1 : 1 - o.dampening;
  return {info.gradient, o.lr, o.momentum, undamped, o.weight_decay, o.nesterov ? 1.0 : 0.0};
}

template class OptimizerOf<SgdRule>;

}  // namespace gyre
