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

struct RmsNormOptions {
  int64_t width = 0;
  double eps = 1e-5;
};
GYRE_FIELDS(RmsNormOptions,
            GYRE_FIELD(width, "size of the last axis", .alias = "normalized_shape", .least = 1),
            GYRE_FIELD(eps, "added to the mean square for numerical stability"));

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

struct BatchNormOptions {
  int64_t channels = 0;
  double eps = 1e-5, momentum = 0.1;
  bool affine = true, running = true;
};
GYRE_FIELDS(BatchNormOptions,
            GYRE_FIELD(channels, "channels, size of axis 1", .alias = "num_features", .least = 1),
            GYRE_FIELD(eps, "added to the variance for numerical stability"),
            GYRE_FIELD(momentum, "weight of the new batch in the running statistics, from 0 to 1",
                       .least = 0, .most = 1),
            GYRE_FIELD(affine, "learn a scale and a bias per channel"),
            GYRE_FIELD(running, "keep running statistics for eval()",
                       .alias = "track_running_stats"));

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

/// Batch normalisation of each channel over the batch and all other axes, then weight and bias, for
/// x [n, channels, ...] (Ioffe and Szegedy 2015). Training uses batch statistics and updates the
/// running ones: running += momentum (batch - running), with the unbiased variance (n - 1);
/// evaluation uses the running ones. State dict names as in PyTorch.
class BatchNorm : public Layer {
 public:
  /// Weight 1, bias 0, running mean 0 and running variance 1. Error{value} for channels below 1 and
  /// for momentum outside [0, 1].
  explicit BatchNorm(const BatchNormOptions& options);
  explicit BatchNorm(int64_t channels) : BatchNorm(BatchNormOptions{.channels = channels}) {}

  /// Error{value} in training for one value per channel, which has no variance.
  Tensor operator()(const Tensor& x) const override;
  void visit(Visitor& visitor) override;

  Tensor weight, bias, running_mean, running_var, num_batches_tracked;

 private:
  void follow(const Tensor& mean, const Tensor& variance, int64_t count) const;

  BatchNormOptions options_;
};

// Names of the layer table.
using RMSNorm = RmsNorm;

}  // namespace nn
}  // namespace gyre
