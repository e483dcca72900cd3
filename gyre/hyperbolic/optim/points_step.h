#pragma once
#include "gyre/hyperbolic/manifold/manifold.h"
#include "gyre/optim/optimizer.h"

namespace gyre::hyperbolic {

/// What the rules that step along manifolds have in common.
class PointsStep {
 public:
  /// `decay` times the points is added to their gradient by coordinates.
  PointsStep(const Optimizer::PointsStep& step, double decay);

  /// The gradient in the metric at the points.
  [[nodiscard]] const Tensor& gradient() const { return gradient_; }
  /// |gradient|^2 in the metric, one number a row.
  [[nodiscard]] Tensor gradient_squared() const;
  /// The points that geodesics in the direction -v reach at time 1, brought inside where rounding
  /// has put them outside.
  [[nodiscard]] Tensor moved(const Tensor& v) const;
  /// Tangent vectors v at the points carried to others.
  [[nodiscard]] Tensor carried(const Tensor& v, const Tensor& to) const;

 private:
  Manifold manifold_;
  Tensor points_, gradient_;
};

}  // namespace gyre::hyperbolic
