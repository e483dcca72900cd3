#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

/// What the bias of a HypLinear is: a tangent vector at the origin, or a point of the ball.
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
GYRE_FIELDS(HypLinearOptions, GYRE_FIELD(in, "numbers a point of the input"),
            GYRE_FIELD(out, "numbers a point of the result"),
            GYRE_FIELD(form, "the bias is a tangent vector at the origin, or a point (gyro)"),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// A linear map between balls: exp0(W log0(x)) + bias, Moebius, on the last axis: [..., in] to
/// [..., out]; weight [out, in], bias [out]. The bias is exp0 of the parameter, which so is as free
/// as the weight (tangent; Chami et al. 2019, eq. 8), or the parameter itself, a point that an
/// optimiser must keep inside (gyro; Ganea, Becigneul and Hofmann 2018, eq. 27 and 28). Results are
/// drawn inside as by poincare_project. One product, one row kernel before and one behind it.
class HypLinear : public CurvedLayer {
 public:
  /// Weight uniform within 1 / sqrt(in), bias 0. Error{value} for sizes below 1 and for c.
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
