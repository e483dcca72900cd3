#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct SplineLinearOptions {
  int64_t in = 0, out = 0, points = 0;
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(SplineLinearOptions,
            GYRE_FIELD(in, "dimension of the input points", .alias = "in_features", .least = 1),
            GYRE_FIELD(out, "dimension of the output points", .alias = "out_features", .least = 1),
            GYRE_FIELD(points, "number of control points of the weight rows, 2 to out"),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// HypLinear (tangent) whose weight rows lie on a spline: row i at i (points - 1) / (out - 1) on
/// the Catmull-Rom spline (1974) through the rows of `control` [points, in], extrapolated linearly
/// at the ends. The weight is basis() control, never formed: points (in + out) multiplications per
/// row instead of in out.
class SplineLinear : public CurvedLayer {
 public:
  /// Control points uniform within 1 / sqrt(in), bias 0. Error{value} for sizes below 1, points
  /// outside [2, out] and unless c > 0.
  explicit SplineLinear(const SplineLinearOptions& options, Generator* generator = nullptr);
  void visit(Visitor& visitor) override;

  /// [out, points]: the weight of each control point in each row.
  [[nodiscard]] const Tensor& basis() const { return basis_; }
  /// Fits `control` to `weight` [out, in] by least squares. Error{shape}.
  void fit(const Tensor& weight);

  Tensor control, bias;

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;

 private:
  Tensor basis_;
};

}  // namespace nn
}  // namespace gyre
