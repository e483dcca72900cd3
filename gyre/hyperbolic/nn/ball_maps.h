#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct BallMapOptions {
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(BallMapOptions, GYRE_CURVATURE_FIELDS);

namespace nn {

/// Maps features (tangent vectors at the origin) to points of the Poincaré ball: exponential map
/// exp0 on the last axis, projected into the ball as by poincare_project. Use before layers of the
/// ball.
class ToBall : public CurvedLayer {
 public:
  /// Error{value} unless c is finite and above 0.
  explicit ToBall(const BallMapOptions& options)
      : CurvedLayer("ToBall", options.c, options.learn_c) {}

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

/// Maps points of the Poincaré ball to features: logarithmic map log0 on the last axis. Use after
/// layers of the ball.
class FromBall : public CurvedLayer {
 public:
  /// Error{value} unless c is finite and above 0.
  explicit FromBall(const BallMapOptions& options)
      : CurvedLayer("FromBall", options.c, options.learn_c) {}

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

}  // namespace nn
}  // namespace gyre
