#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct PoincareBatchNormOptions {
  int64_t width = 0;
  double eps = 1e-5, momentum = 0.1;
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(PoincareBatchNormOptions, GYRE_FIELD(width, "numbers a point"),
            GYRE_FIELD(eps, "added to the variance"),
            GYRE_FIELD(momentum, "weight of a batch in the running statistics, from 0 to 1"),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// Points of the ball, rows of the last axis, moved so that their midpoint m over all other axes
/// becomes exp0(bias), and scaled from it: exp0(bias) + (weight / sqrt(v + eps)) (-m + x), Moebius,
/// with v the mean of the squared distances from m; drawn inside as by poincare_project. The
/// midpoint in place of the Frechet mean is van Spengler, Berkhout and Mettes' 2023 ("Poincare
/// ResNet"), centring and scaling by gyro operations Chen et al.'s 2025 ("Gyrogroup batch
/// normalization"). In training by the batch's own statistics, which move the running ones: the
/// running mean along the geodesic to m; else by the running ones.
class PoincareBatchNorm : public CurvedLayer {
 public:
  /// Weight 1, bias 0, running mean the origin, running variance 1. Error{value} for a width below
  /// 1, a momentum outside [0, 1] and for c.
  explicit PoincareBatchNorm(const PoincareBatchNormOptions& options);
  void visit(Visitor& visitor) override;

  Tensor weight, bias, running_mean, running_var;

 protected:
  /// Error{value} in training for a single point, which has no variance; Error{shape} for points of
  /// another width.
  Tensor run(const Tensor& x, const Tensor& c) const override;

 private:
  void follow(const Tensor& mean, const Tensor& variance, const Tensor& c) const;

  PoincareBatchNormOptions options_;
};

}  // namespace nn
}  // namespace gyre
