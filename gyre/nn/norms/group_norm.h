#pragma once
#include "gyre/nn/layer.h"

namespace gyre {

struct GroupNormOptions {
  int64_t groups = 1, channels = 0;
  double eps = 1e-5;
  bool affine = true;
};
GYRE_FIELDS(GroupNormOptions, GYRE_FIELD(groups, "groups of channels; divides their number"),
            GYRE_FIELD(channels, "length of axis 1"), GYRE_FIELD(eps, "added to the variance"),
            GYRE_FIELD(affine, "channels have a trained factor and a trained summand"));

namespace nn {

/// Each group of channels of a sample brought to mean 0 and variance 1, times weight, plus bias
/// (Wu and He 2018), for x [n, channels, ...].
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
