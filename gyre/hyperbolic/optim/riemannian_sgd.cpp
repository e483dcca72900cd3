#include "gyre/hyperbolic/optim/riemannian_sgd.h"

#include "gyre/hyperbolic/optim/points_step.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/optim/optim_ops.h"

namespace gyre {

constinit const OptimizerDef riemanniansgd_optimizer{
    .name = "riemanniansgd",
    .class_name = "RiemannianSGD",
    .doc =
        "Riemannian SGD (Bonnabel 2013): manifold parameters move along geodesics by the "
        "Riemannian "
        "gradient or a parallel-transported velocity; others as SGD",
    .options = &record_of<RiemannianSgdOptions>,
    .step = &sgd_step_def,
    .make = RiemannianSgd::make,
    .on_manifolds = true};

void RiemannianSgdRule::check(const Options& o) { SgdRule::check(o.sgd, def); }

SgdNumbers RiemannianSgdRule::numbers(const Options& o, const Optimizer::StepInfo& info) {
  return SgdRule::numbers(o.sgd, info);
}

Shape RiemannianSgdRule::state_shape(size_t, const Tensor& points) { return points.shape(); }

Tensor RiemannianSgdRule::update_points(const Options& options, Optimizer::PointsStep& step) {
  const SgdOptions& o = options.sgd;
  hyperbolic::PointsStep along(step, o.weight_decay);
  if (o.momentum == 0) return along.moved(o.lr * along.gradient());
  Tensor& v = step.state[0];
  v = step.step == 1 ? along.gradient() : o.momentum * v + (1 - o.dampening) * along.gradient();
  Tensor points = along.moved(o.lr * (o.nesterov ? along.gradient() + o.momentum * v : v));
  v = along.carried(v, points);
  return points;
}

template class OptimizerOf<RiemannianSgdRule>;

}  // namespace gyre
