#include "gyre/hyperbolic/optim/riemannian_sgd.h"

#include "gyre/base/error.h"
#include "gyre/hyperbolic/optim/points_step.h"
#include "gyre/ops/elementwise/elementwise.h"

namespace gyre {

constinit const OptimizerDef riemanniansgd_optimizer = {
    "riemanniansgd",
    "RiemannianSGD",
    "points of a manifold move along geodesics by lr times the gradient in its metric, or by a "
    "velocity that moves with them (Bonnabel 2013); others as by SGD",
    &record_of<RiemannianSgdOptions>,
    RiemannianSgd::make,
    true};

void RiemannianSgdRule::check(const Options& o) {
  require_option(def, o.momentum >= 0, "momentum", o.momentum, "0 or more");
  require_option(def, o.weight_decay >= 0, "weight_decay", o.weight_decay, "0 or more");
  if (o.nesterov && (o.momentum == 0 || o.dampening != 0)) {
    throw Error(Code::value, def.name, "nesterov needs a momentum and no dampening");
  }
}

namespace {

SgdOptions on_flat_space(const RiemannianSgdOptions& o) {
  return {o.lr, o.momentum, o.dampening, o.weight_decay, o.nesterov};
}

}  // namespace

std::span<const char* const> RiemannianSgdRule::state_kinds(const Options& o) {
  return SgdRule::state_kinds(on_flat_space(o));
}

SgdNumbers RiemannianSgdRule::numbers(const Options& o, const Optimizer::Turn& turn) {
  return SgdRule::numbers(on_flat_space(o), turn);
}

Shape RiemannianSgdRule::state_shape(size_t, const Tensor& points) { return points.shape(); }

Tensor RiemannianSgdRule::update_points(const Options& o, Optimizer::PointsStep& step) {
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
