#include "gyre/hyperbolic/optim/riemannian.h"

#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/rules/optim_ops.h"

namespace gyre {

constinit const OptimizerDef riemanniansgd_optimizer{
    .name = "riemanniansgd",
    .class_name = "RiemannianSGD",
    .doc =
        "Riemannian SGD (Bonnabel 2013): manifold parameters move along geodesics by the "
        "Riemannian gradient or a parallel-transported velocity; others as SGD",
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

constinit const OptimizerDef riemannianadam_optimizer{
    .name = "riemannianadam",
    .class_name = "RiemannianAdam",
    .doc =
        "Riemannian Adam (Bécigneul and Ganea 2019): manifold parameters move along geodesics, "
        "with parallel-transported first moment and one second moment per row; others as Adam",
    .options = &record_of<RiemannianAdamOptions>,
    .step = &adam_step_def,
    .make = RiemannianAdam::make,
    .routes = hyperbolic::kRiemannianRoutes<RiemannianAdamRule>};

AdamNumbers RiemannianAdamRule::numbers(const Options& o, const Optimizer::StepInfo& info) {
  return AdamRule<AdamOptions>::numbers(o.adam, info);
}

Shape RiemannianAdamRule::state_shape(size_t kind, const Tensor& points) {
  return kind == 0 ? points.shape() : row_axes(points);
}

Tensor RiemannianAdamRule::update_points(const Options& options, hyperbolic::PointsStep& step) {
  const AdamOptions& o = options.adam;
  const Tensor gradient = step.gradient(o.weight_decay);
  const AdamNumbers n = numbers(options, {step.number, {}});
  Tensor &m = step.state[0], &v = step.state[1];
  m = n.beta1 * m + (1 - n.beta1) * gradient;
  v = n.beta2 * v + (1 - n.beta2) * step.squared(gradient);
  if (o.amsgrad) step.state[2] = maximum(step.state[2], v);
  Tensor divisor = sqrt(o.amsgrad ? step.state[2] : v) * n.root_correction + n.eps;
  Tensor points = step.moved(m * unsqueeze(n.rate / divisor, -1));
  m = step.carried(m, points);
  return points;
}

template class OptimizerOf<RiemannianSgdRule>;
template class OptimizerOf<RiemannianAdamRule>;

}  // namespace gyre
