#include "gyre/optim/lion.h"

namespace gyre {

constinit const OptimizerDef lion_optimizer = {"lion", "Lion",
                                               "Lion: steps of size lr along the sign of the "
                                               "interpolated momentum, with decoupled weight decay "
                                               "(Chen et al. 2023)",
                                               &record_of<LionOptions>, Lion::make};

void LionRule::check(const LionOptions& o) {
  auto share = [](const char* option, double beta) {
    require_option(def, beta >= 0 && beta < 1, option, beta, "in [0, 1)");
  };
  share("beta1", o.beta1);
  share("beta2", o.beta2);
  require_option(def, o.weight_decay >= 0, "weight_decay", o.weight_decay, "0 or more");
}

std::span<const char* const> LionRule::state_kinds(const LionOptions&) {
  static constexpr const char* kKinds[] = {"m"};
  return kKinds;
}

LionNumbers LionRule::numbers(const LionOptions& o, const Optimizer::Turn& turn) {
  return {turn.gradient, o.lr, 1 - o.lr * o.weight_decay, o.beta1, o.beta2};
}

template class OptimizerOf<LionRule>;

}  // namespace gyre
