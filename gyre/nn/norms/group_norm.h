#pragma once
#include "gyre/nn/layer.h"

namespace gyre {

struct GroupNormOptions {
  int64_t groups = 1, channels = 0;
  double eps = 1e-5;
  bool affine = true;
};
GYRE_FIELDS(GroupNormOptions,
            GYRE_FIELD(groups, "groups of channels; must divide channels", .alias = "num_groups",
                       .least = 1),
            GYRE_FIELD(channels, "size of axis 1", .alias = "num_channels", .least = 1),
            GYRE_FIELD(eps, "added to the variance for numerical stability"),
            GYRE_FIELD(affine, "learn a scale and a bias per channel"));

namespace nn {

/// Group normalisation: normalises each group of channels of a sample to mean 0 and variance 1,
/// then applies weight and bias (Wu and He 2018), for x [n, channels, ...].
class GroupNorm : public Layer {
 public:
  /// Weight 1, bias 0. Error{value} unless groups divides channels and both are 1 or more.
  explicit GroupNorm(const GroupNormOptions& options);

  Tensor operator()(const Tensor& x) const override;
  void visit(Visitor& visitor) override;

  Tensor weight, bias;

 private:
  GroupNormOptions options_;
};

}  // namespace nn
}  // namespace gyre
