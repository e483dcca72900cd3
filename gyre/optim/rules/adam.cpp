#include "gyre/optim/rules/adam.h"

#include <cmath>

#include "gyre/optim/rules/optim_ops.h"

namespace gyre {

constinit const OptimizerDef adam_optimizer{
    .name = "adam",
    .class_name = "Adam",
    .doc =
        "Adam: value -= lr m̂ / (√v̂ + eps), with bias-corrected running averages m̂ of the "
        "gradient and v̂ of its square (Kingma and Ba 2015)",
    .options = &record_of<AdamOptions>,
    .step = &adam_step_def,
    .make = Adam::make};

constinit const OptimizerDef adamw_optimizer{
    .name = "adamw",
    .class_name = "AdamW",
    .doc = "Adam with decoupled weight decay (Loshchilov and Hutter 2019)",
    .options = &record_of<AdamWOptions>,
    .step = &adam_step_def,
    .make = AdamW::make};

template <class O>
AdamNumbers AdamRule<O>::numbers(const O& o, const Optimizer::StepInfo& info) {
  constexpr bool decoupled = std::is_same_v<O, AdamWOptions>;
  auto t = static_cast<double>(info.step);
  return {.gradient = info.gradient,
          .beta1 = o.beta1,
          .beta2 = o.beta2,
          .rate = o.lr / (1 - std::pow(o.beta1, t)),
          .gradient_rate = 0,
          .root_correction = 1 / std::sqrt(1 - std::pow(o.beta2, t)),
          .eps = o.eps,
          .keep = decoupled ? 1 - o.lr * o.weight_decay : 1,
          .l2 = decoupled ? 0 : o.weight_decay};
}

template struct AdamRule<AdamOptions>;
template struct AdamRule<AdamWOptions>;
template class OptimizerOf<AdamRule<AdamOptions>>;
template class OptimizerOf<AdamRule<AdamWOptions>>;

}  // namespace gyre
