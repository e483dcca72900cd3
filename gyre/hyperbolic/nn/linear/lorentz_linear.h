#pragma once
#include "gyre/hyperbolic/nn/curved_layer.h"

namespace gyre {

struct LorentzLinearOptions {
  int64_t in = 0, out = 0;
  double scale = 10, c = 1;
  bool learn_c = false;
};
GYRE_FIELDS(LorentzLinearOptions, GYRE_FIELD(in, "space coordinates of a point of the input"),
            GYRE_FIELD(out, "space coordinates of a point of the result"),
            GYRE_FIELD(scale, "beginning of the longest length of a result's space"),
            GYRE_CURVATURE_FIELDS);

namespace nn {

/// The linear layer between hyperboloids of Chen et al. 2022 ("Fully hyperbolic neural networks",
/// section 3.1), on space coordinates: with h = W x + w t + b the result is
/// s sigmoid(<v, x> + v_t t + b') h / |h|, t the time of x. weight [out, in], time_weight (w) and
/// bias (b) [out], gate_weight (v) [in], gate_time, gate_bias and scale (s) numbers. One product,
/// one row kernel before and one behind it.
class LorentzLinear : public CurvedLayer {
 public:
  /// weight, time_weight and gate_weight uniform within 0.02 as Chen et al.; biases and gate_time
  /// 0. Error{value} for sizes below 1, for a scale that is not above 0 and for c.
  explicit LorentzLinear(const LorentzLinearOptions& options, Generator* generator = nullptr);
  void visit(Visitor& visitor) override;

  Tensor weight, time_weight, bias, gate_weight, gate_time, gate_bias, scale;

 protected:
  Tensor run(const Tensor& x, const Tensor& c) const override;
};

}  // namespace nn
}  // namespace gyre
