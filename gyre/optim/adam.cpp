#include "gyre/optim/adam.h"

#include <cmath>

namespace gyre {

constinit const OptimizerDef adam_optimizer = {
    "adam", "Adam",
    "Adam: value -= lr m̂ / (√v̂ + eps), with bias-corrected running averages m̂ of the gradient "
    "and v̂ of its square (Kingma and Ba 2015)",
    &record_of<AdamOptions>, Adam::make};

constinit const OptimizerDef adamw_optimizer = {
    "adamw", "AdamW", "Adam with decoupled weight decay (Loshchilov and Hutter 2019)",
    &record_of<AdamWOptions>, AdamW::make};

template <class O>
std::span<const char* const> AdamRule<O>::state_kinds(const O& o) {
  static constexpr const char* kKinds[] = {"m", "v", "vmax"};
  return std::span(kKinds).first(o.amsgrad ? 3 : 2);
}

template <class O>
AdamNumbers AdamRule<O>::numbers(const O& o, const Optimizer::StepInfo& info) {
  constexpr bool decoupled = std::is_same_v<O, AdamWOptions>;
  auto t = static_cast<double>(info.step);
  AdamNumbers n;
  n.gradient = info.gradient;
  n.beta1 = o.beta1;
  n.beta2 = o.beta2;
  n.rate = o.lr / (1 - std::pow(o.beta1, t));
  n.root_correction = 1 / std::sqrt(1 - std::pow(o.beta2, t));
  n.eps = o.eps;
  n.keep = decoupled ? 1 - o.lr * o.weight_decay : 1;
  n.l2 = decoupled ? 0 : o.weight_decay;
  return n;
}

template struct AdamRule<AdamOptions>;
template struct AdamRule<AdamWOptions>;
template class OptimizerOf<AdamRule<AdamOptions>>;
template class OptimizerOf<AdamRule<AdamWOptions>>;

}  // namespace gyre
