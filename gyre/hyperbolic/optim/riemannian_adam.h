#pragma once
#include "gyre/base/record_part.h"
#include "gyre/optim/adam.h"

namespace gyre {

extern const OptimizerDef riemannianadam_optimizer;

/// Weight decay is of coordinates also for points.
struct RiemannianAdamOptions {
  AdamOptions adam{};
  bool sparse = false;
};
GYRE_FIELDS_WITH(RiemannianAdamOptions, adam,
                 GYRE_FIELD(sparse, "rows of points whose gradient is 0 stay, with their moments"));

/// Errors as AdamRule.
struct RiemannianAdamRule {
  using Options = RiemannianAdamOptions;
  using Numbers = AdamNumbers;
  static constexpr const OptimizerDef& def = riemannianadam_optimizer;
  static void check(const Options& options);
  static std::span<const char* const> state_kinds(const Options& options);
  static AdamNumbers numbers(const Options& options, const Optimizer::Turn& turn);
  static void update(const StepTile& tile, const AdamNumbers& numbers, const StepArrays& arrays,
                     int64_t n) {
    tile.adam(numbers, arrays, n);
  }
  static Shape state_shape(size_t kind, const Tensor& points);
  static Tensor update_points(const Options& options, Optimizer::PointsStep& step);
};

/// Along a manifold (hyperbolic/manifold/): with the gradient r in its metric, m = beta1 m + (1 -
/// beta1) r and, one number a row, v = beta2 v + (1 - beta2) |r|^2; points x become exp_x(-lr m^ /
/// (sqrt(v^) + eps)), with corrections of bias as Adam has them, and m is carried to the new
/// points (Becigneul and Ganea 2019). Other parameters step as by Adam. State as Adam's.
using RiemannianAdam = OptimizerOf<RiemannianAdamRule>;

extern template class OptimizerOf<RiemannianAdamRule>;

}  // namespace gyre
