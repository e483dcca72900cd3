#include "gyre/hyperbolic/optim/riemannian_adam.h"

#include "gyre/hyperbolic/optim/points_step.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

constinit const OptimizerDef riemannianadam_optimizer = {
    "riemannianadam",
    "RiemannianAdam",
    "points of a manifold move along geodesics, by Adam with a first moment that moves with them "
    "and one second moment a row (Becigneul and Ganea 2019); others as by Adam",
    &record_of<RiemannianAdamOptions>,
    RiemannianAdam::make,
    true};

namespace {

AdamOptions on_flat_space(const RiemannianAdamOptions& o) {
  return {o.lr, o.beta1, o.beta2, o.eps, o.weight_decay, o.amsgrad};
}

}  // namespace

void RiemannianAdamRule::check(const Options& o) {
  auto share = [](const char* option, double beta) {
    require_option(def, beta >= 0 && beta < 1, option, beta, "from 0 to below 1");
  };
  share("beta1", o.beta1);
  share("beta2", o.beta2);
  require_option(def, o.eps >= 0, "eps", o.eps, "0 or more");
  require_option(def, o.weight_decay >= 0, "weight_decay", o.weight_decay, "0 or more");
}

std::span<const char* const> RiemannianAdamRule::state_kinds(const Options& o) {
  return AdamRule<AdamOptions>::state_kinds(on_flat_space(o));
}

AdamNumbers RiemannianAdamRule::numbers(const Options& o, const Optimizer::Turn& turn) {
  return AdamRule<AdamOptions>::numbers(on_flat_space(o), turn);
}

Shape RiemannianAdamRule::state_shape(size_t kind, const Tensor& points) {
  if (kind == 0) return points.shape();
  return Shape(std::span(points.shape().dims).first(static_cast<size_t>(points.rank() - 1)));
}

Tensor RiemannianAdamRule::update_points(const Options& o, Optimizer::PointsStep& step) {
  hyperbolic::PointsStep along(step, o.weight_decay);
  const AdamNumbers n = numbers(o, {step.step, {}});
  Tensor &m = step.state[0], &v = step.state[1];
  m = n.beta1 * m + (1 - n.beta1) * along.gradient();
  v = n.beta2 * v + (1 - n.beta2) * along.gradient_squared();
  if (o.amsgrad) step.state[2] = maximum(step.state[2], v);
  Tensor divisor = sqrt(o.amsgrad ? step.state[2] : v) * n.root_correction + n.eps;
  Tensor points = along.moved(m * unsqueeze(n.rate / divisor, -1));
  m = along.carried(m, points);
  return points;
}

template class OptimizerOf<RiemannianAdamRule>;

}  // namespace gyre
