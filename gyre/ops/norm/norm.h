#pragma once
#include <concepts>

#include "gyre/base/record.h"
#include "gyre/kernel/reduction.h"
#include "gyre/ops/norm/bodies.h"
#include "gyre/tensor/tensor.h"

// Normalisation ops.

namespace gyre {

GYRE_FIELDS(AxisAttrs, GYRE_FIELD(axis, "axis; negative: from the end"));
GYRE_FIELDS(NormAttrs, GYRE_FIELD(axis, "axis; negative: from the end"),
            GYRE_FIELD(eps, "added to the variance or mean square for numerical stability"));
GYRE_FIELDS(AxisKeepAttrs, GYRE_FIELD(axis, "axis; negative: from the end"),
            GYRE_FIELD(keepdim, "keep the axis with size 1"));

/// Softmax e^x / sum e^x along an axis; accurate for logits up to +-1e4.
Tensor softmax(const Tensor& x, const AxisAttrs& attrs = {});
/// Log-softmax x - log sum e^x along an axis.
Tensor log_softmax(const Tensor& x, const AxisAttrs& attrs = {});
/// Overloads by axis number. (Templates, so that {} means the last axis.)
Tensor softmax(const Tensor& x, std::integral auto axis) {
  return softmax(x, AxisAttrs{static_cast<int64_t>(axis)});
}
Tensor log_softmax(const Tensor& x, std::integral auto axis) {
  return log_softmax(x, AxisAttrs{static_cast<int64_t>(axis)});
}
/// Gradients with respect to x of softmax and log_softmax, from the gradient g of their output y.
Tensor softmax_backward(const Tensor& g, const Tensor& y, const AxisAttrs& attrs = {});
Tensor log_softmax_backward(const Tensor& g, const Tensor& y, const AxisAttrs& attrs = {});
/// Log-sum-exp: log sum e^x over axes (all by default), which are removed unless keepdim; accurate
/// up to +-1e4. Error{value} for an empty reduction.
Tensor logsumexp(const Tensor& x, const ReduceAttrs& attrs = {});
Tensor logsumexp(const Tensor& x, std::integral auto axis, bool keepdim = false) {
  return logsumexp(x, ReduceAttrs{{static_cast<int64_t>(axis)}, keepdim});
}
/// Layer normalisation: (x - mean) / sqrt(variance + eps) * weight + bias along an axis; weight and
/// bias broadcast to x or are empty (Ba et al. 2016).
Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                  const NormAttrs& attrs = {});
/// Root mean square normalisation: x / sqrt(mean(x^2) + eps) * weight along an axis; weight
/// broadcasts to x or is empty.
Tensor rms_norm(const Tensor& x, const Tensor& weight, const NormAttrs& attrs = {});

/// Mean and biased variance (divided by the count) along an axis.
struct MeanAndVariance {
  Tensor mean, variance;
};
/// In f32 for 16-bit x. Error{value} for an empty axis.
MeanAndVariance moments(const Tensor& x, const AxisAttrs& attrs = {});
/// (x - mean) / sqrt(variance + eps) * weight + bias with one mean, variance, weight and bias per
/// row along the axis: they broadcast to x's shape without it. Weight and bias may be empty.
/// Error{shape}.
Tensor standardize(const Tensor& x, const Tensor& mean, const Tensor& variance,
                   const Tensor& weight, const Tensor& bias, const NormAttrs& attrs = {});

struct GroupNormAttrs {
  int64_t groups = 1;
  double eps = 1e-5;
};
GYRE_FIELDS(GroupNormAttrs,
            GYRE_FIELD(groups, "number of groups; must divide the number of channels"),
            GYRE_FIELD(eps, "added to the variance for numerical stability"));

/// Group normalisation of x [n, channels, ...]: normalises each group of consecutive channels of a
/// sample to mean 0 and variance 1, then applies weight and bias ([channels] or empty); Wu and He
/// 2018. Error{shape}; Error{value} if groups does not divide the channels or a group is empty.
Tensor group_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                  const GroupNormAttrs& attrs = {});
/// Instance normalisation: group_norm with one channel per group.
Tensor instance_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double eps = 1e-5);

struct BatchNormAttrs {
  double eps = 1e-5;
};
GYRE_FIELDS(BatchNormAttrs, GYRE_FIELD(eps, "added to the variance for numerical stability"));

/// Result of batch_norm: `mean` and `variance` [channels] are the statistics used, in f32 for
/// 16-bit x. The variance is biased (divided by the n elements of a channel); running statistics
/// multiply it by n / (n - 1).
struct BatchNormed {
  Tensor out, mean, variance;
};
/// Batch normalisation of x [n, channels, ...]: normalises each channel to mean 0 and variance 1,
/// then applies weight and bias ([channels] or empty); Ioffe and Szegedy 2015. Error{shape};
/// Error{value} for an empty batch.
BatchNormed batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                       const BatchNormAttrs& attrs = {});
/// The same with given statistics [channels], as at inference.
BatchNormed batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                       const Tensor& mean, const Tensor& variance,
                       const BatchNormAttrs& attrs = {});

GYRE_FIELDS(CosineAttrs, GYRE_FIELD(axis, "axis; negative: from the end"),
            GYRE_FIELD(eps, "lower bound of each norm, avoids division by zero"));

/// Cosine similarity x . y / (|x| |y|) along an axis, which is removed; norms are clamped to at
/// least eps. x and y broadcast.
Tensor cosine_similarity(const Tensor& x, const Tensor& y, const CosineAttrs& attrs = {});

struct NormalizeAttrs {
  double p = 2;
  int64_t axis = -1;
  double eps = 1e-12;
};
/// x / max(p-norm, eps) along an axis; p may be infinite. Error{value} unless p is positive.
Tensor normalize(const Tensor& x, const NormalizeAttrs& attrs = {});

}  // namespace gyre
