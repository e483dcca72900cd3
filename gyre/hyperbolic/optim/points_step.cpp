#include "gyre/hyperbolic/optim/points_step.h"

#include "gyre/ops/elementwise/elementwise.h"

namespace gyre::hyperbolic {
namespace {

// The manifold of the updated rows: per-row curvatures are selected with the rows.
Manifold manifold_of_rows(const Optimizer::PointsStep& step) {
  Manifold whole = manifold_of(step.parameter);
  return step.rows.defined() ? whole.of_rows(row_axes(step.parameter), step.rows) : whole;
}

}  // namespace

PointsStep::PointsStep(const Optimizer::PointsStep& step, double decay)
    : manifold_(manifold_of_rows(step)), points_(step.value) {
  Tensor g = decay == 0 ? step.gradient : step.gradient + decay * points_;
  gradient_ = manifold_.egrad2rgrad(points_, g);
}

Tensor PointsStep::gradient_squared() const {
  return manifold_.inner(points_, gradient_, gradient_);
}

Tensor PointsStep::moved(const Tensor& v) const {
  return manifold_.project(manifold_.exp(points_, -v));
}

Tensor PointsStep::carried(const Tensor& v, const Tensor& to) const {
  return manifold_.transport(points_, to, v);
}

}  // namespace gyre::hyperbolic
