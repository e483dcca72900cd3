#pragma once
#include "gyre/base/record_part.h"
#include "gyre/hyperbolic/optim/points_step.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/rules/sgd.h"

namespace gyre {

extern const OptimizerDef riemanniansgd_optimizer, riemannianadam_optimizer;

/// Weight decay acts on coordinates, also for manifold parameters.
struct RiemannianSgdOptions {
  SgdOptions sgd{};
  bool sparse = false;
};
GYRE_RECORD(
    RiemannianSgdOptions, GYRE_PART(sgd),
    GYRE_FIELD(
        sparse,
        "sparse updates: leave rows of points with zero gradient and their velocity unchanged"));

/// Errors as SgdRule.
struct RiemannianSgdRule {
  using Options = RiemannianSgdOptions;
  static constexpr const OptimizerDef& def = riemanniansgd_optimizer;
  static void check(const Options& options);
  static size_t states(const Options& options) { return SgdRule::states(options.sgd); }
  static SgdNumbers numbers(const Options& options, const Optimizer::StepInfo& info);
  static Shape state_shape(size_t kind, const Tensor& points);
  static Tensor update_points(const Options& options, hyperbolic::PointsStep& step);
};

/// Riemannian SGD (Bonnabel 2013): with the Riemannian gradient r, points x move to exp_x(-lr v),
/// where v = r at the first step, then v = momentum v + (1 - dampening) r, parallel-transported to
/// the new points; without momentum v = r. Other parameters are updated by Sgd. State "v" with
/// momentum.
using RiemannianSgd = OptimizerOf<RiemannianSgdRule>;

/// Weight decay acts on coordinates, also for manifold parameters.
struct RiemannianAdamOptions {
  AdamOptions adam{};
  bool sparse = false;
};
GYRE_RECORD(
    RiemannianAdamOptions, GYRE_PART(adam),
    GYRE_FIELD(
        sparse,
        "sparse updates: leave rows of points with zero gradient and their moments unchanged"));

struct RiemannianAdamRule {
  using Options = RiemannianAdamOptions;
  static constexpr const OptimizerDef& def = riemannianadam_optimizer;
  static size_t states(const Options& o) { return AdamRule<AdamOptions>::states(o.adam); }
  static AdamNumbers numbers(const Options& options, const Optimizer::StepInfo& info);
  static Shape state_shape(size_t kind, const Tensor& points);
  static Tensor update_points(const Options& options, hyperbolic::PointsStep& step);
};

/// Riemannian Adam (Bécigneul and Ganea 2019): with the Riemannian gradient r, m = beta1 m + (1 -
/// beta1) r and, one number per row, v = beta2 v + (1 - beta2) |r|^2; points x move to exp_x(-lr m^
/// / (sqrt(v^) + eps)) with bias correction as in Adam, and m is parallel-transported to the new
/// points. Other parameters are updated by Adam. State as of Adam.
using RiemannianAdam = OptimizerOf<RiemannianAdamRule>;

extern template class OptimizerOf<RiemannianSgdRule>;
extern template class OptimizerOf<RiemannianAdamRule>;

}  // namespace gyre
