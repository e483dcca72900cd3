#include "gyre/hyperbolic/optim/riemannian_sgd.h"

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
    .routes = hyperbolic::kRiemannianRoutes<RiemannianSgdRule>};

void RiemannianSgdRule::check(const Options& o) { SgdRule::check(o.sgd, def); }

SgdNumbers RiemannianSgdRule::numbers(const Options& o, const Optimizer::StepInfo& info) {
  return SgdRule::numbers(o.sgd, info);
}

Shape RiemannianSgdRule::state_shape(size_t, const Tensor& points) { return points.shape(); }

Tensor RiemannianSgdRule::update_points(const Options& options, hyperbolic::PointsStep& step) {
  const SgdOptions& o = options.sgd;
  const Tensor gradient = step.gradient(o.weight_decay);
  if (o.momentum == 0) return step.moved(o.lr * gradient);
  Tensor& v = step.state[0];
  v = step.number == 1 ? gradient : o.momentum * v + (1 - o.dampening) * gradient;
  Tensor points = step.moved(o.lr * (o.nesterov ? gradient + o.momentum * v : v));
  v = step.carried(v, points);
  return points;
}

template class OptimizerOf<RiemannianSgdRule>;

}  // namespace gyre
