#include "gyre/nn/norms.h"

#include "gyre/nn/init.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/node.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/norm/norm.h"

namespace gyre::nn {

LayerNorm::LayerNorm(const LayerNormOptions& o) : eps_(o.eps) {
  check_record("LayerNorm", o);
  weight = ones({o.width});
  if (o.bias) bias = zeros({o.width});
}

Tensor LayerNorm::operator()(const Tensor& x) const {
  Tensor shift = bias.defined() ? bias : zeros_like(weight);
  return layer_norm(x, weight, shift, {.eps = eps_});
}

void LayerNorm::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
}

constinit const LayerDef layer_norm_layer = define_layer<LayerNorm, LayerNormOptions>(
    "LayerNorm", "layer normalisation over the last axis, then learned weight and bias",
    [](LayerSamples& s) {
      Samples draw;
      s.add(LayerNormOptions{.width = 5}, {draw.uniform({2, 3, 5})});
      s.add(LayerNormOptions{.width = 3, .eps = 0.1, .bias = false}, {draw.uniform({4, 3})});
      s.refuse(Code::value, LayerNormOptions{});
    });

RmsNorm::RmsNorm(const RmsNormOptions& o) : eps_(o.eps) {
  check_record("RMSNorm", o);
  weight = ones({o.width});
}

Tensor RmsNorm::operator()(const Tensor& x) const { return rms_norm(x, weight, {.eps = eps_}); }

void RmsNorm::visit(Visitor& v) { v.parameter("weight", weight); }

constinit const LayerDef rms_norm_layer = define_layer<RmsNorm, RmsNormOptions>(
    "RMSNorm", "root mean square normalisation over the last axis with a learned scale",
    [](LayerSamples& s) {
      Samples draw;
      s.add(RmsNormOptions{.width = 5}, {draw.uniform({2, 3, 5})});
      s.add(RmsNormOptions{.width = 1, .eps = 0.1}, {draw.uniform({4, 1})});
      s.refuse(Code::value, RmsNormOptions{});
    });

GroupNorm::GroupNorm(const GroupNormOptions& o) : options_(o) {
  check_record("GroupNorm", o);
  if (o.channels % o.groups != 0) {
    refuse_option("GroupNorm", "groups", o.groups, {"a divisor of channels, ", o.channels});
  }
  if (!o.affine) return;
  weight = ones({o.channels});
  bias = zeros({o.channels});
}

Tensor GroupNorm::operator()(const Tensor& x) const {
  return group_norm(x, weight, bias, {options_.groups, options_.eps});
}

void GroupNorm::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
}

constinit const LayerDef group_norm_layer = define_layer<GroupNorm, GroupNormOptions>(
    "GroupNorm", "group normalisation: mean 0 and variance 1 over each group of channels",
    [](LayerSamples& s) {
      Samples draw;
      s.add(GroupNormOptions{.groups = 2, .channels = 4}, {draw.uniform({2, 4, 3})});
      s.add(GroupNormOptions{.groups = 1, .channels = 3, .affine = false},
            {draw.uniform({2, 3, 2, 2})});
      s.refuse(Code::value, GroupNormOptions{.groups = 2, .channels = 3});
      s.refuse(Code::value, GroupNormOptions{.groups = 0, .channels = 3});
      s.refuse(Code::value, GroupNormOptions{});
    });

BatchNorm::BatchNorm(const BatchNormOptions& o) : options_(o) {
  check_record("BatchNorm", o);
  if (o.affine) {
    weight = ones({o.channels});
    bias = zeros({o.channels});
  }
  if (o.running) {
    running_mean = buffer({o.channels}, 0);
    running_var = buffer({o.channels}, 1);
    num_batches_tracked = buffer({}, 0, DType::i64);
  }
}

Tensor BatchNorm::operator()(const Tensor& x) const {
  const BatchNormAttrs attrs{options_.eps};
  if (!training() && options_.running) {
    return batch_norm(x, weight, bias, running_mean, running_var, attrs).out;
  }
  int64_t count = x.rank() > 1 && x.size(1) > 0 ? x.numel() / x.size(1) : 0;
  if (training() && count == 1) {
    throw Error(Code::value, "BatchNorm", "expected more than 1 value per channel in training",
                "more than one value a channel", x.shape());
  }
  BatchNormed r = batch_norm(x, weight, bias, attrs);
  if (training() && options_.running) follow(r.mean, r.variance, count);
  return r.out;
}

void BatchNorm::follow(const Tensor& mean, const Tensor& variance, int64_t count) const {
  NoGrad off;
  auto n = static_cast<double>(count);
  auto move = [&](const Tensor& running, const Tensor& batch, const char* name) {
    assign(running, running + Tensor(options_.momentum) * (batch - running), name);
  };
  move(running_mean, mean, "running_mean");
  move(running_var, variance * Tensor(n / (n - 1)), "running_var");
  assign(num_batches_tracked, num_batches_tracked + Tensor(int64_t{1}), "num_batches_tracked");
}

void BatchNorm::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
  v.buffer("running_mean", running_mean);
  v.buffer("running_var", running_var);
  v.buffer("num_batches_tracked", num_batches_tracked);
}

constinit const LayerDef batch_norm_layer = define_layer<BatchNorm, BatchNormOptions>(
    "BatchNorm", "batch normalisation of each channel, with running statistics for evaluation",
    [](LayerSamples& s) {
      Samples draw;
      s.add(BatchNormOptions{.channels = 3}, {draw.uniform({4, 3})});
      s.add(BatchNormOptions{.channels = 2, .momentum = 0.5}, {draw.uniform({3, 2, 4})});
      s.add(BatchNormOptions{.channels = 2, .affine = false, .running = false},
            {draw.uniform({2, 2, 2, 3})});
      s.refuse(Code::value, BatchNormOptions{});
      s.refuse(Code::value, BatchNormOptions{.channels = 2, .momentum = 1.5});
    });

}  // namespace gyre::nn
