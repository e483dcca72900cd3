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

namespace nn {

/// Möbius linear layer exp0(W log0(x)) ⊕ bias on the last axis: [..., in] to [..., out]; weight
/// [out, in], bias [out]. The bias is exp0 of an unconstrained parameter (tangent; Chami et al.
/// 2019, eq. 8), or the parameter itself, a point that the optimiser must keep inside (gyro; Ganea,
/// Bécigneul and Hofmann 2018, eq. 27 and 28). Results are projected into the ball as by
/// poincare_project. One matrix product, one row kernel before and one after it.
class HypLinear : public CurvedLayer {
 public:
  /// Weight uniform within 1 / sqrt(in), bias 0. Error{value} for sizes below 1 and unless c > 0.
  explicit HypLinear(const HypLinearOptions& options, Generator* generator = nullptr);
  void visit(Visitor& visitor) override;

  Tensor weight, bias;

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;

 private:
  HypLinearForm form_;
};

}  // namespace nn
}  // namespace gyre
