#pragma once
#include <type_traits>

#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct AdamOptions {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0;
  bool amsgrad = false, maximize = false;
};
GYRE_FIELDS(
    AdamOptions, GYRE_FIELD(lr, "learning rate", .least = 0),
    GYRE_FIELD(beta1, "β1, decay rate of the first-moment estimate", .least = 0, .below = 1),
    GYRE_FIELD(beta2, "β2, decay rate of the second-moment estimate", .least = 0, .below = 1),
    GYRE_FIELD(eps, "added to the denominator for numerical stability", .least = 0),
    GYRE_FIELD(weight_decay, "L2 penalty: coefficient of the value added to the gradient",
               .least = 0),
    GYRE_FIELD(amsgrad, "AMSGrad: use the maximum of past second moments (Reddi et al. 2018)"),
    GYRE_FIELD(maximize, kMaximizeDoc));

struct AdamWOptions {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0.01;
  bool amsgrad = false, maximize = false;
};
GYRE_FIELDS(
    AdamWOptions, GYRE_FIELD(lr, "learning rate", .least = 0),
    GYRE_FIELD(beta1, "β1, decay rate of the first-moment estimate", .least = 0, .below = 1),
    GYRE_FIELD(beta2, "β2, decay rate of the second-moment estimate", .least = 0, .below = 1),
    GYRE_FIELD(eps, "added to the denominator for numerical stability", .least = 0),
    GYRE_FIELD(weight_decay, "decoupled weight decay: value -= lr weight_decay value", .least = 0),
    GYRE_FIELD(amsgrad, "AMSGrad: use the maximum of past second moments (Reddi et al. 2018)"),
    GYRE_FIELD(maximize, kMaximizeDoc));

/// The update rule of Adam, or of AdamW with AdamWOptions.
template <class O>
struct AdamRule {
  using Options = O;
  static constexpr const OptimizerDef& def =
      std::is_same_v<O, AdamOptions> ? adam_optimizer : adamw_optimizer;
  static size_t states(const Options& options) { return options.amsgrad ? 3 : 2; }
  static AdamNumbers numbers(const Options& options, const Optimizer::StepInfo& info);
};

/// Adam: m = β1 m + (1 - β1) g, v = β2 v + (1 - β2) g²; with the bias-corrected m̂ = m / (1 - β1^t)
/// and v̂ = v / (1 - β2^t), value -= lr m̂ / (√v̂ + eps) (Kingma and Ba 2015). With amsgrad
/// v̂ = vmax / (1 - β2^t), vmax = max(vmax, v) (Reddi et al. 2018, with bias correction as in
/// PyTorch). State "m", "v" and, with amsgrad, "vmax".
using Adam = OptimizerOf<AdamRule<AdamOptions>>;
/// Adam with decoupled weight decay: value -= lr (m̂ / (√v̂ + eps) + weight_decay value)
/// (Loshchilov and Hutter 2019).
using AdamW = OptimizerOf<AdamRule<AdamWOptions>>;

extern template struct AdamRule<AdamOptions>;
extern template struct AdamRule<AdamWOptions>;
extern template class OptimizerOf<AdamRule<AdamOptions>>;
extern template class OptimizerOf<AdamRule<AdamWOptions>>;

}  // namespace gyre
