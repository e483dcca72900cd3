#pragma once
#include "gyre/base/record_part.h"
#include "gyre/optim/sgd.h"

namespace gyre {

extern const OptimizerDef riemanniansgd_optimizer;

/// Weight decay is of coordinates also for points.
struct RiemannianSgdOptions {
  SgdOptions sgd{};
  bool sparse = false;
};
GYRE_FIELDS_WITH(RiemannianSgdOptions, sgd,
                 GYRE_FIELD(sparse,
                            "rows of points whose gradient is 0 stay, with their velocity"));

/// Errors as SgdRule.
struct RiemannianSgdRule {
  using Options = RiemannianSgdOptions;
  using Numbers = SgdNumbers;
  static constexpr const OptimizerDef& def = riemanniansgd_optimizer;
  static void check(const Options& options);
  static std::span<const char* const> state_kinds(const Options& options);
  static SgdNumbers numbers(const Options& options, const Optimizer::Turn& turn);
  static void update(const StepTile& tile, const SgdNumbers& numbers, const StepArrays& arrays,
                     int64_t n) {
    tile.sgd(numbers, arrays, n);
  }
  static Shape state_shape(size_t kind, const Tensor& points);
  static Tensor update_points(const Options& options, Optimizer::PointsStep& step);
};

/// Along a manifold (hyperbolic/manifold/): with the gradient r in its metric, points x become
/// exp_x(-lr v), where v = r at the first step, then v = momentum v + (1 - dampening) r, and v is
/// carried to the new points (Bonnabel 2013); without momentum v = r. Other parameters step as by
/// Sgd. State "v" with momentum.
using RiemannianSgd = OptimizerOf<RiemannianSgdRule>;

extern template class OptimizerOf<RiemannianSgdRule>;

}  // namespace gyre
