#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

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

namespace nn {

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

}  // namespace nn
}  // namespace gyre
