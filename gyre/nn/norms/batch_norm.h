#pragma once
#include "gyre/nn/layer.h"

namespace gyre {

struct BatchNormOptions {
  int64_t channels = 0;
  double eps = 1e-5, momentum = 0.1;
  bool affine = true, running = true;
};
GYRE_FIELDS(BatchNormOptions, GYRE_FIELD(channels, "length of axis 1"),
            GYRE_FIELD(eps, "added to the variance"),
            GYRE_FIELD(momentum, "weight of a batch in the running statistics, from 0 to 1"),
            GYRE_FIELD(affine, "channels have a trained factor and a trained summand"),
            GYRE_FIELD(running, "keeps running statistics, which eval() uses"));

namespace nn {

/// Channels brought to mean 0 and variance 1 over the batch and all other axes, times weight, plus
/// bias, for x [n, channels, ...] (Ioffe and Szegedy 2015). In training by the batch's own
/// statistics, which move the running ones: running += momentum (batch - running), with the
/// variance of n - 1; else by the running ones. Names as PyTorch's.
class BatchNorm : public Layer {
 public:
  /// Weight 1, bias 0, running mean 0 and variance 1. Error{value} for channels below 1 and for a
  /// momentum outside [0, 1].
  explicit BatchNorm(const BatchNormOptions& options);
  explicit BatchNorm(int64_t channels) : BatchNorm(BatchNormOptions{.channels = channels}) {}

  /// Also Error{value} in training for one value a channel, which has no variance.
  Tensor operator()(const Tensor& x) const override;
  void visit(Visitor& visitor) override;

  Tensor weight, bias, running_mean, running_var, num_batches_tracked;

 private:
  void follow(const Tensor& mean, const Tensor& variance, int64_t count) const;

  BatchNormOptions options_;
};

}  // namespace nn
}  // namespace gyre
