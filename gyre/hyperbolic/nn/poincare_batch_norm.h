#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct PoincareBatchNormOptions {
  int64_t width = 0;
  double eps = 1e-5, momentum = 0.1;
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(PoincareBatchNormOptions, GYRE_FIELD(width, "dimension of the points", .least = 1),
            GYRE_FIELD(eps, "added to the variance"),
            GYRE_FIELD(momentum, "weight of the batch in the running statistics, in [0, 1]",
                       .least = 0, .most = 1),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// Batch normalisation of points of the Poincaré ball (rows of the last axis): exp0(bias) ⊕ (weight
/// / sqrt(v + eps)) ⊗ (-m ⊕ x), m the midpoint over all other axes, v the mean squared distance to
/// m; projected into the ball as by poincare_project. The midpoint instead of the Fréchet mean
/// follows van Spengler, Berkhout and Mettes 2023 ("Poincaré ResNet"), centring and scaling by gyro
/// operations Chen et al. 2025 ("Gyrogroup batch normalization"). Training uses batch statistics
/// and updates the running ones (the running mean along the geodesic to m); evaluation uses the
/// running ones.
class PoincareBatchNorm : public CurvedLayer {
 public:
  /// Weight 1, bias 0, running mean the origin, running variance 1. Error{value} for a width below
  /// 1, a momentum outside [0, 1] and unless c > 0.
  explicit PoincareBatchNorm(const PoincareBatchNormOptions& options);
  void visit(Visitor& visitor) override;

  Tensor weight, bias, running_mean, running_var;

 protected:
  /// Error{value} in training for a single point, which has no variance; Error{shape} for points of
  /// another dimension.
  Tensor run(const Tensor& x, const Tensor& c) const override;

 private:
  void follow(const Tensor& mean, const Tensor& variance, const Tensor& c) const;

  PoincareBatchNormOptions options_;
};

}  // namespace nn
}  // namespace gyre
