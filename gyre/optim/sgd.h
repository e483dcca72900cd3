#pragma once
#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

struct SgdOptions {
  double lr = 1e-3, momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false;
};
GYRE_FIELDS(SgdOptions, GYRE_FIELD(lr, "learning rate", .least = 0),
            GYRE_FIELD(momentum, "momentum factor", .least = 0),
            GYRE_FIELD(dampening, "dampening of the momentum"),
            GYRE_FIELD(weight_decay, "L2 penalty: coefficient of the value added to the gradient",
                       .least = 0),
            GYRE_FIELD(nesterov, "Nesterov momentum (Sutskever et al. 2013)"));

/// The update rule of SGD. Error{value} for nesterov without momentum or with dampening.
struct SgdRule {
  using Options = SgdOptions;
  using Numbers = SgdNumbers;
  static constexpr const OptimizerDef& def = sgd_optimizer;
  static void check(const SgdOptions& options, const OptimizerDef& of = def);
  static std::span<const char* const> state_kinds(const SgdOptions& options);
  static SgdNumbers numbers(const SgdOptions& options, const Optimizer::StepInfo& info);
  static void update(const StepTile& tile, const SgdNumbers& numbers, const StepArrays& arrays,
                     int64_t n) {
    tile.sgd(numbers, arrays, n);
  }
};

/// SGD: v = g at the first step, then v = momentum v + (1 - dampening) g; value -= lr v. Without
/// momentum value -= lr g. State "v" with momentum.
using Sgd = OptimizerOf<SgdRule>;

extern template class OptimizerOf<SgdRule>;

}  // namespace gyre
