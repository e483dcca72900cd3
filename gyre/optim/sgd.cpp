#include "gyre/optim/sgd.h"

#include "gyre/base/error.h"

namespace gyre {

constinit const OptimizerDef sgd_optimizer = {
    "sgd", "SGD", "stochastic gradient descent with optional (Nesterov) momentum: value -= lr v",
    &record_of<SgdOptions>, Sgd::make};

void SgdRule::check(const SgdOptions& o, const OptimizerDef& of) {
  if (o.nesterov && (o.momentum == 0 || o.dampening != 0)) {
    throw Error(Code::value, of.name, "nesterov requires momentum above 0 and dampening 0");
  }
}

std::span<const char* const> SgdRule::state_kinds(const SgdOptions& o) {
  static constexpr const char* kKinds[] = {"v"};
  return std::span(kKinds).first(o.momentum > 0 ? 1 : 0);
}

SgdNumbers SgdRule::numbers(const SgdOptions& o, const Optimizer::StepInfo& info) {
  double undamped = info.step == 1 ? 1 : 1 - o.dampening;
  return {info.gradient, o.lr, o.momentum, undamped, o.weight_decay, o.nesterov};
}

template class OptimizerOf<SgdRule>;

}  // namespace gyre
