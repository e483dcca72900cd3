#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

/// Parametrisation of the bias of HypLinear: a tangent vector at the origin, or a point of the
/// ball.
enum class HypLinearForm : uint8_t { tangent, gyro };
inline constexpr const char* kHypLinearForms[] = {"tangent", "gyro"};
template <>
inline constexpr std::span<const char* const> kChoices<HypLinearForm> = kHypLinearForms;

struct HypLinearOptions {
  int64_t in = 0, out = 0;
  HypLinearForm form = HypLinearForm::tangent;
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(HypLinearOptions,
            GYRE_FIELD(in, "dimension of the input points", .alias = "in_features", .least = 1),
            GYRE_FIELD(out, "dimension of the output points", .alias = "out_features", .least = 1),
            GYRE_FIELD(form, "bias as a tangent vector at the origin (tangent) or a point (gyro)"),
            GYRE_CURVATURE_FIELDS);

struct LorentzLinearOptions {
  int64_t in = 0, out = 0;
  double scale = 10, c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(LorentzLinearOptions,
            GYRE_FIELD(in, "space dimension of the input points", .alias = "in_features",
                       .least = 1),
            GYRE_FIELD(out, "space dimension of the output points", .alias = "out_features",
                       .least = 1),
            GYRE_FIELD(scale, "initial bound of the spatial norm of outputs", .above = 0),
            GYRE_CURVATURE_FIELDS);

struct HyperButterflyOptions {
  int64_t width = 0, levels = 0;
  double c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(HyperButterflyOptions,
            GYRE_FIELD(width, "dimension of the points, a power of two, at least 2"),
            GYRE_FIELD(levels, "number of butterfly factors; 0: log2(width)", .least = 0),
            GYRE_CURVATURE_FIELDS);

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

/// Möbius linear layer exp0(W log0(x)) ⊕ bias on the last axis: [..., in] to [..., out]; weight
/// [out, in], bias [out]. The bias is exp0 of an unconstrained parameter (tangent; Chami et al.
/// 2019, eq. 8), or the parameter itself, a point that the optimiser must keep inside (gyro; Ganea,
/// Bécigneul and Hofmann 2018, eq. 27 and 28). Results are projected into the ball as by
/// poincare_project. One matrix product, one row kernel before and one after it.
class HypLinear : public WeightedLayer {
 public:
  /// Weight uniform within 1 / sqrt(in), bias 0. Error{value} for sizes below 1 and unless c > 0.
  explicit HypLinear(const HypLinearOptions& options, Generator* generator = nullptr);

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;

 private:
  HypLinearForm form_;
};

/// Lorentz linear layer of Chen et al. 2022 ("Fully hyperbolic neural networks", section 3.1), in
/// space coordinates: with h = W x + w t + b the result is s sigmoid(<v, x> + v_t t + b') h / |h|,
/// t the time coordinate of x. weight [out, in], time_weight (w) and bias (b) [out], gate_weight
/// (v) [in]; gate_time, gate_bias and scale (s) are 0-d. One matrix product, one row kernel before
/// and one after it.
class LorentzLinear : public CurvedLayer {
 public:
  /// weight, time_weight and gate_weight uniform within 0.02 as Chen et al.; biases and gate_time
  /// 0. Error{value} for sizes below 1 and unless scale and c are finite and above 0.
  explicit LorentzLinear(const LorentzLinearOptions& options, Generator* generator = nullptr);
  void visit(Visitor& visitor) override;

  Tensor weight, time_weight, bias, gate_weight, gate_time, gate_bias, scale;

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

/// Butterfly linear map of the Poincaré ball: exp0(B_L ... B_1 log0(x)) on the last axis, projected
/// into the ball as by poincare_project. B_l (Dao et al. 2019, "Learning fast algorithms for linear
/// transforms using butterfly factorizations") multiplies pairs of coordinates with stride
/// 2^((l - 1) mod log2 width) by 2x2 blocks: 2 width parameters per factor and 2 width log2(width)
/// multiplications per point instead of width^2. weight [levels, width / 2, 2, 2]; block b of a
/// factor with stride s acts on coordinates (b / s) 2 s + b mod s and that plus s.
class HyperButterfly : public CurvedLayer {
 public:
  /// Blocks are initialised as rotations by angles uniform within pi. Error{value} unless width is
  /// a power of two, levels >= 0 and c > 0.
  explicit HyperButterfly(const HyperButterflyOptions& options, Generator* generator = nullptr);
  void visit(Visitor& visitor) override;

  Tensor weight;

 protected:
  /// Error{shape} for points of another dimension.
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

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
