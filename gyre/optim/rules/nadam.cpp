#include "gyre/optim/rules/nadam.h"

#include <cmath>

#include "gyre/optim/rules/optim_ops.h"

namespace gyre {
namespace {

// β1 at a step, and the product of those of all steps up to it.
struct Momentum {
  double at, product;
};

double momentum_at(const NadamOptions& o, int64_t step) {
  return o.beta1 * (1 - 0.5 * std::pow(0.96, static_cast<double>(step) * o.momentum_decay));
}

Momentum momentum_until(const NadamOptions& o, int64_t step) {
  constexpr double kNegligible = 0x1p-60;  // against the 1 that it is subtracted from
  double product = 1;
  for (int64_t i = 1; i <= step && product > kNegligible; ++i) product *= momentum_at(o, i);
  return {momentum_at(o, step), product};
}

}  // namespace

constinit const OptimizerDef nadam_optimizer{
    .name = "nadam",
    .class_name = "NAdam",
    .doc = "NAdam: Adam with Nesterov momentum (Dozat 2016)",
    .options = &record_of<NadamOptions>,
    .step = &adam_step_def,
    .make = Nadam::make};

AdamNumbers NadamRule::numbers(const NadamOptions& o, const Optimizer::StepInfo& info) {
  const Momentum now = momentum_until(o, info.step);
  const double next = momentum_at(o, info.step + 1);
  const double correction = 1 - std::pow(o.beta2, static_cast<double>(info.step));
  const bool decoupled = o.decoupled_weight_decay;
  return {.gradient = info.gradient,
          .beta1 = o.beta1,
          .beta2 = o.beta2,
          .rate = o.lr * next / (1 - now.product * next),
          .gradient_rate = o.lr * (1 - now.at) / (1 - now.product),
          .root_correction = 1 / std::sqrt(correction),
          .eps = o.eps,
          .keep = decoupled ? 1 - o.lr * o.weight_decay : 1,
          .l2 = decoupled ? 0 : o.weight_decay};
}

template class OptimizerOf<NadamRule>;

}  // namespace gyre
