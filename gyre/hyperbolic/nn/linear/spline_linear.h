#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct SplineLinearOptions {
  int64_t in = 0, out = 0, points = 0;
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(SplineLinearOptions, GYRE_FIELD(in, "numbers a point of the input"),
            GYRE_FIELD(out, "numbers a point of the result"),
            GYRE_FIELD(points, "control points of the weight's rows, from 2 to out"),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// HypLinear (tangent) whose weight has rows on a curve: row i lies at i (points - 1) / (out - 1)
/// on the Catmull-Rom spline (1974) through the rows of `control` [points, in], whose ends go on
/// straight. The weight is basis() control; products are with control first, then with the basis:
/// points (in + out) products a row in place of in out.
class SplineLinear : public CurvedLayer {
 public:
  /// Control points uniform within 1 / sqrt(in), bias 0. Error{value} for sizes below 1, points
  /// outside 2 ... out and for c.
  explicit SplineLinear(const SplineLinearOptions& options, Generator* generator = nullptr);
  void visit(Visitor& visitor) override;

  /// [out, points]: how much of each control point each row takes.
  [[nodiscard]] const Tensor& basis() const { return basis_; }
  /// Makes `control` that of the rows nearest to `weight` [out, in]: least squares, by the normal
  /// equations of the basis. Error{shape}.
  void fit(const Tensor& weight);

  Tensor control, bias;

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;

 private:
  Tensor basis_;
};

}  // namespace nn
}  // namespace gyre
