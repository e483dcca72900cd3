#pragma once
#include <type_traits>

#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct AdamOptions {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0;
  bool amsgrad = false;
};
GYRE_FIELDS(AdamOptions, GYRE_FIELD(lr, "learning rate"),
            GYRE_FIELD(beta1, "share of the first moment that stays"),
            GYRE_FIELD(beta2, "share of the second moment that stays"),
            GYRE_FIELD(eps, "added to the root of the second moment"),
            GYRE_FIELD(weight_decay, "times the value, added to the gradient"),
            GYRE_FIELD(amsgrad, "divide by the largest second moment so far (Reddi et al. 2018)"));

struct AdamWOptions {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0.01;
  bool amsgrad = false;
};
GYRE_FIELDS(AdamWOptions, GYRE_FIELD(lr, "learning rate"),
            GYRE_FIELD(beta1, "share of the first moment that stays"),
            GYRE_FIELD(beta2, "share of the second moment that stays"),
            GYRE_FIELD(eps, "added to the root of the second moment"),
            GYRE_FIELD(weight_decay, "times lr and the value, taken off the value"),
            GYRE_FIELD(amsgrad, "divide by the largest second moment so far (Reddi et al. 2018)"));

/// These options with eps 1e-3, for trainings whose second moment has 16 bits elsewhere: in f16 the
/// square of a gradient below 2^-12.5 is 0, and so is the usual eps, so that steps would be divided
/// by 0. State here is f32, for parameters of any dtype: nothing here needs it, and steps along
/// gradients about as small as 1e-3 become smaller.
template <class Options>
Options half_preset(Options options = {}) {
  options.eps = 1e-3;
  return options;
}

/// The rule of Adam, or with AdamWOptions of AdamW. Error{value} of an optimiser for eps or decay
/// below 0 and betas outside [0, 1).
template <class O>
struct AdamRule {
  using Options = O;
  using Numbers = AdamNumbers;
  static constexpr const OptimizerDef& def =
      std::is_same_v<O, AdamOptions> ? adam_optimizer : adamw_optimizer;
  static void check(const Options& options, const OptimizerDef& of = def);
  static std::span<const char* const> state_kinds(const Options& options);
  static AdamNumbers numbers(const Options& options, const Optimizer::Turn& turn);
  static void update(const StepTile& tile, const AdamNumbers& numbers, const StepArrays& arrays,
                     int64_t n) {
    tile.adam(numbers, arrays, n);
  }
};

/// m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g^2; with m^ = m / (1 - beta1^t) and
/// v^ = v / (1 - beta2^t), value -= lr m^ / (sqrt(v^) + eps) (Kingma and Ba 2015). With amsgrad
/// v^ = vmax / (1 - beta2^t), vmax = max(vmax, v) (Reddi et al. 2018, with the correction of bias
/// as in PyTorch). State "m", "v" and, with amsgrad, "vmax".
using Adam = OptimizerOf<AdamRule<AdamOptions>>;
/// Adam whose decay does not pass through the moments: value -= lr (m^ / (sqrt(v^) + eps) + decay
/// value) (Loshchilov and Hutter 2019).
using AdamW = OptimizerOf<AdamRule<AdamWOptions>>;

extern template struct AdamRule<AdamOptions>;
extern template struct AdamRule<AdamWOptions>;
extern template class OptimizerOf<AdamRule<AdamOptions>>;
extern template class OptimizerOf<AdamRule<AdamWOptions>>;

}  // namespace gyre
