#pragma once
#include "gyre/nn/layer.h"

namespace gyre {

struct LayerNormOptions {
  int64_t width = 0;
  double eps = 1e-5;
  bool bias = true;
};
GYRE_FIELDS(LayerNormOptions,
            GYRE_FIELD(width, "size of the last axis", .alias = "normalized_shape", .least = 1),
            GYRE_FIELD(eps, "added to the variance for numerical stability"),
            GYRE_FIELD(bias, "add a learned bias"));

namespace nn {

/// (x - mean) / sqrt(variance + eps) over the last axis, times weight, plus bias (Ba et al. 2016).
class LayerNorm : public Layer {
 public:
  /// Weight 1, bias 0. Error{value} for a width below 1.
  explicit LayerNorm(const LayerNormOptions& options);

  Tensor operator()(const Tensor& x) const override;
  void visit(Visitor& visitor) override;

  Tensor weight, bias;

 private:
  double eps_;
};

}  // namespace nn
}  // namespace gyre
