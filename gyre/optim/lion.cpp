#include "gyre/optim/lion.h"

namespace gyre {

constinit const OptimizerDef lion_optimizer = {"lion", "Lion",
                                               "Lion: steps of size lr along the sign of the "
                                               "interpolated momentum, with decoupled weight decay "
                                               "(Chen et al. 2023)",
                                               &record_of<LionOptions>, Lion::make};

std::span<const char* const> LionRule::state_kinds(const LionOptions&) {
  static constexpr const char* kKinds[] = {"m"};
  return kKinds;
}

LionNumbers LionRule::numbers(const LionOptions& o, const Optimizer::StepInfo& info) {
  return {info.gradient, o.lr, 1 - o.lr * o.weight_decay, o.beta1, o.beta2};
}

template class OptimizerOf<LionRule>;

}  // namespace gyre
