#include "gyre/hyperbolic/optim/points_step.h"

#include <algorithm>

#include "gyre/ops/create/create.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::hyperbolic {
namespace {

// Reshapes t, whose leading axes are those of `points` [..., d] without d, to have one row axis.
Tensor by_rows(const Tensor& t, const Tensor& points) {
  const Shape axes = row_axes(points);
  return reshape(t, concat({numel(axes)}, t.shape().part(axes.rank, t.rank())));
}

Tensor rows_with_gradient(const Tensor& gradient) {
  return flatten(nonzero(any(by_rows(gradient, gradient), -1)));
}

// The manifold of the updated rows: per-row curvatures are selected with the rows.
Manifold manifold_of_rows(const Tensor& parameter, const Tensor& rows) {
  Manifold whole = manifold_of(parameter);
  return rows.defined() ? whole.of_rows(row_axes(parameter), rows) : whole;
}

}  // namespace

PointsStep::PointsStep(const ParameterStep& step, const Tensor& rows, bool sparse)
    : number(step.steps + 1),
      step_(step),
      rows_(rows.defined() || !sparse ? rows : rows_with_gradient(step.gradient)),
      manifold_(manifold_of_rows(step.parameter, rows_)),
      points_(chosen(step.parameter.detach())),
      gradient_(incoming(rows.defined() ? step.gradient : chosen(step.gradient), step.numbers)) {
  for (const Tensor& t : step.state) state.push_back(chosen(t));
}

Tensor PointsStep::chosen(const Tensor& t) const {
  return rows_.defined() ? index_select(by_rows(t, step_.parameter), 0, rows_) : t;
}

void PointsStep::finish(const Tensor& points) const {
  auto put = [&](const Tensor& t, const Tensor& values) {
    if (rows_.defined()) {
      index_copy_(by_rows(t, step_.parameter), rows_, values);
    } else {
      copy_(t, values);
    }
  };
  put(step_.parameter, points);
  for (size_t k = 0; k < state.size(); ++k) put(step_.state[k], state[k]);
  ++step_.steps;
}

Tensor PointsStep::gradient(double decay) const {
  return manifold_.egrad2rgrad(points_, decay == 0 ? gradient_ : gradient_ + decay * points_);
}

bool takes_points(const Tensor& parameter, const void*) {
  return space_of(parameter) && size_of(parameter.dtype()) > 2;
}

bool on_manifolds(const OptimizerDef& optimizer) {
  return std::ranges::any_of(optimizer.routes,
                             [](const StepRoute& r) { return r.takes == takes_points; });
}

}  // namespace gyre::hyperbolic
