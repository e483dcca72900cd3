#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct BallMapOptions {
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(BallMapOptions, GYRE_CURVATURE_FIELDS);

namespace nn {

/// Features, as tangent vectors at the origin, to points of the Poincare ball: exp0 on the last
/// axis, drawn inside as by poincare_project. Stands before layers of the ball.
class ToBall : public CurvedLayer {
 public:
  /// Error{value} for c.
  explicit ToBall(const BallMapOptions& options)
      : CurvedLayer("ToBall", options.c, options.learn_c) {}

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

/// Points of the Poincare ball to features: log0 on the last axis. Stands behind layers of the
/// ball.
class FromBall : public CurvedLayer {
 public:
  /// Error{value} for c.
  explicit FromBall(const BallMapOptions& options)
      : CurvedLayer("FromBall", options.c, options.learn_c) {}

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

}  // namespace nn
}  // namespace gyre
