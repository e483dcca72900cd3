#pragma once
#include "gyre/nn/layer.h"

namespace gyre {

struct RmsNormOptions {
  int64_t width = 0;
  double eps = 1e-5;
};
GYRE_FIELDS(RmsNormOptions,
            GYRE_FIELD(width, "size of the last axis", .alias = "normalized_shape", .least = 1),
            GYRE_FIELD(eps, "added to the mean square for numerical stability"));

namespace nn {

/// x / sqrt(mean square + eps) over the last axis, times weight (Zhang and Sennrich 2019).
class RmsNorm : public Layer {
 public:
  /// Weight 1. Error{value} for a width below 1.
  explicit RmsNorm(const RmsNormOptions& options);

  Tensor operator()(const Tensor& x) const override;
  void visit(Visitor& visitor) override;

  Tensor weight;

 private:
  double eps_;
};

}  // namespace nn
}  // namespace gyre
