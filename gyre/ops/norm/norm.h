#pragma once
#include <concepts>

#include "gyre/base/record.h"
#include "gyre/kernel/reduction.h"
#include "gyre/ops/norm/bodies.h"
#include "gyre/tensor/tensor.h"

// Ops over one axis that normalise.

namespace gyre {

GYRE_FIELDS(AxisAttrs, GYRE_FIELD(axis, "the axis; negative counts from the last"));
GYRE_FIELDS(NormAttrs, GYRE_FIELD(axis, "the axis; negative counts from the last"),
            GYRE_FIELD(eps, "added to the variance"));
GYRE_FIELDS(AxisKeepAttrs, GYRE_FIELD(axis, "the axis; negative counts from the last"),
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

}  // namespace gyre
