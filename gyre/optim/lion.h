#pragma once
#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct LionOptions {
  double lr = 1e-4, beta1 = 0.9, beta2 = 0.99, weight_decay = 0;
};
GYRE_FIELDS(LionOptions, GYRE_FIELD(lr, "learning rate, by which every element moves"),
            GYRE_FIELD(beta1, "share of the moment in the direction of a step"),
            GYRE_FIELD(beta2, "share of the moment that stays"),
            GYRE_FIELD(weight_decay, "times lr and the value, taken off the value"));

/// Error{value} for a decay below 0 and betas outside [0, 1).
struct LionRule {
  using Options = LionOptions;
  using Numbers = LionNumbers;
  static constexpr const OptimizerDef& def = lion_optimizer;
  static void check(const LionOptions& options);
  static std::span<const char* const> state_kinds(const LionOptions& options);
  static LionNumbers numbers(const LionOptions& options, const Optimizer::Turn& turn);
  static void update(const StepTile& tile, const LionNumbers& numbers, const StepArrays& arrays,
                     int64_t n) {
    tile.lion(numbers, arrays, n);
  }
};

/// value -= lr (sign(beta1 m + (1 - beta1) g) + decay value), then m = beta2 m + (1 - beta2) g
/// (Chen et al. 2023, algorithm 2). The sign of 0 is 0, that of NaN is NaN. State "m".
using Lion = OptimizerOf<LionRule>;

extern template class OptimizerOf<LionRule>;

}  // namespace gyre
