#include "gyre/optim/sgd.h"

#include "gyre/base/error.h"

namespace gyre {

constinit const OptimizerDef sgd_optimizer = {
    "sgd", "SGD", "stochastic gradient descent with optional (Nesterov) momentum: value -= lr v",
    &record_of<SgdOptions>, Sgd::make};

void SgdRule::check(const SgdOptions& o, const OptimizerDef& of) {
  require_option(of, o.momentum >= 0, "momentum", o.momentum, "0 or more");
  require_option(of, o.weight_decay >= 0, "weight_decay", o.weight_decay, "0 or more");
  if (o.nesterov && (o.momentum == 0 || o.dampening != 0)) {
    throw Error(Code::value, of.name, "nesterov requires momentum above 0 and dampening 0");
  }
}

std::span<const char* const> SgdRule::state_kinds(const SgdOptions& o) {
  static constexpr const char* kKinds[] = {"v"};
  return std::span(kKinds).first(o.momentum > 0 ? 1 : 0);
}

SgdNumbers SgdRule::numbers(const SgdOptions& o, const Optimizer::Turn& turn) {
  double undamped = turn.step == 1 ? 1 : 1 - o.dampening;
  return {turn.gradient, o.lr, o.momentum, undamped, o.weight_decay, o.nesterov};
}

template class OptimizerOf<SgdRule>;

}  // namespace gyre
