#pragma once
#include <concepts>

#include "gyre/base/record.h"
#include "gyre/kernel/reduction.h"
#include "gyre/ops/norm/bodies.h"
#include "gyre/tensor/tensor.h"

// Ops over one axis that normalise.

namespace gyre {

GYRE_FIELDS(AxisAttrs, GYRE_FIELD(axis, "axis; negative: from the end"));
GYRE_FIELDS(NormAttrs, GYRE_FIELD(axis, "axis; negative: from the end"),
            GYRE_FIELD(eps, "added to the variance for numerical stability"));
GYRE_FIELDS(AxisKeepAttrs, GYRE_FIELD(axis, "axis; negative: from the end"),
            GYRE_FIELD(keepdim, "keep the axis with size 1"));

/// e^x / sum e^x along an axis; exact at logits of +-1e4.
Tensor softmax(const Tensor& x, const AxisAttrs& attrs = {});
/// x - log sum e^x along an axis.
Tensor log_softmax(const Tensor& x, const AxisAttrs& attrs = {});
/// The same by the axis' number. (Templates, so that {} stays the last axis.)
Tensor softmax(const Tensor& x, std::integral auto axis) {
  return softmax(x, AxisAttrs{static_cast<int64_t>(axis)});
}
Tensor log_softmax(const Tensor& x, std::integral auto axis) {
  return log_softmax(x, AxisAttrs{static_cast<int64_t>(axis)});
}
/// The cotangents of x for a cotangent g of the result y of softmax and log_softmax.
Tensor softmax_backward(const Tensor& g, const Tensor& y, const AxisAttrs& attrs = {});
Tensor log_softmax_backward(const Tensor& g, const Tensor& y, const AxisAttrs& attrs = {});
/// log sum e^x over axes (all by default), which go (or stay with size 1 with keepdim); exact at
/// +-1e4. Error{value} when there is nothing to reduce.
Tensor logsumexp(const Tensor& x, const ReduceAttrs& attrs = {});
Tensor logsumexp(const Tensor& x, std::integral auto axis, bool keepdim = false) {
  return logsumexp(x, ReduceAttrs{{static_cast<int64_t>(axis)}, keepdim});
}
/// (x - mean) / sqrt(variance + eps) along an axis, times weight, plus bias, which broadcast to x;
/// an empty Tensor stands for none.
Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                  const NormAttrs& attrs = {});
/// x / sqrt(mean of x^2 + eps) along an axis, times weight, which broadcasts to x (or is empty).
Tensor rms_norm(const Tensor& x, const Tensor& weight, const NormAttrs& attrs = {});

/// Mean and variance (sum of squared distances from the mean over the count) along an axis.
struct MeanAndVariance {
  Tensor mean, variance;
};
/// In f32 for 16-bit x. Error{value} for an empty axis.
MeanAndVariance moments(const Tensor& x, const AxisAttrs& attrs = {});
/// (x - mean) / sqrt(variance + eps) weight + bias with one of each a row along the axis: they
/// broadcast to x's shape without it. Weight and bias may be empty. Error{shape}.
Tensor standardize(const Tensor& x, const Tensor& mean, const Tensor& variance,
                   const Tensor& weight, const Tensor& bias, const NormAttrs& attrs = {});

struct GroupNormAttrs {
  int64_t groups = 1;
  double eps = 1e-5;
};
GYRE_FIELDS(GroupNormAttrs,
            GYRE_FIELD(groups, "number of groups; must divide the number of channels"),
            GYRE_FIELD(eps, "added to the variance for numerical stability"));

/// x [n, channels, ...] with each group of neighbouring channels of a sample brought to mean 0 and
/// variance 1, times weight, plus bias ([channels] or empty); Wu and He 2018. Error{shape};
/// Error{value} when groups does not divide the channels or there is nothing to average.
Tensor group_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                  const GroupNormAttrs& attrs = {});
/// group_norm with every channel a group of its own.
Tensor instance_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double eps = 1e-5);

struct BatchNormAttrs {
  double eps = 1e-5;
};
GYRE_FIELDS(BatchNormAttrs, GYRE_FIELD(eps, "added to the variance for numerical stability"));

/// What batch_norm gives: `mean` and `variance` [channels] are those it has used, in f32 for 16-bit
/// x. The variance divides by the count n of elements in a channel; a layer that keeps running
/// statistics multiplies it by n / (n - 1).
struct BatchNormed {
  Tensor out, mean, variance;
};
/// x [n, channels, ...] with each channel brought to mean 0 and variance 1 over all else, times
/// weight, plus bias ([channels] or empty); Ioffe and Szegedy 2015. Error{shape}; Error{value} when
/// there is nothing to average.
BatchNormed batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                       const BatchNormAttrs& attrs = {});
/// The same by statistics [channels] that are given, as in inference.
BatchNormed batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                       const Tensor& mean, const Tensor& variance,
                       const BatchNormAttrs& attrs = {});

GYRE_FIELDS(CosineAttrs, GYRE_FIELD(axis, "axis; negative: from the end"),
            GYRE_FIELD(eps, "lower bound of each norm, avoids division by zero"));

/// x . y / (|x| |y|) along an axis, which goes; norms count as at least eps. x and y broadcast.
Tensor cosine_similarity(const Tensor& x, const Tensor& y, const CosineAttrs& attrs = {});

struct NormalizeAttrs {
  double p = 2;
  int64_t axis = -1;
  double eps = 1e-12;
};
/// x over its p-norm along an axis, which counts as at least eps; p may be infinite. Error{value}
/// for a p that is not above 0.
Tensor normalize(const Tensor& x, const NormalizeAttrs& attrs = {});

}  // namespace gyre
