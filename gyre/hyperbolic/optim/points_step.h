#pragma once
#include "gyre/hyperbolic/manifold/manifold.h"
#include "gyre/optim/optimizer.h"

namespace gyre::hyperbolic {

/// The update of manifold parameters shared by Riemannian optimisers.
class PointsStep {
 public:
  /// Adds `decay` times the points to their Euclidean gradient (L2 penalty).
  PointsStep(const Optimizer::PointsStep& step, double decay);

  /// Riemannian gradient at the points.
  [[nodiscard]] const Tensor& gradient() const { return gradient_; }
  /// Squared Riemannian norm of the gradient, one per row.
  [[nodiscard]] Tensor gradient_squared() const;
  /// Retraction along the geodesic: exp_x(-v), projected onto the manifold.
  [[nodiscard]] Tensor moved(const Tensor& v) const;
  /// Parallel transport of tangent vectors v from the points to `to`.
  [[nodiscard]] Tensor carried(const Tensor& v, const Tensor& to) const;

 private:
  Manifold manifold_;
  Tensor points_, gradient_;
};

}  // namespace gyre::hyperbolic
