#pragma once
#include "gyre/tensor/tensor.h"

// Convolutions as in torch.nn.functional (cross-correlations: kernels are not flipped). Images are
// [N, channels, height, width], signals [N, channels, length]; N may be 0. Each of `groups` channel
// groups is convolved with its own filters. Attributes of type Shape hold (height, width) or one
// number for both. At least one operand must be floating, others may be integers; f16 and bf16 are
// computed in f32 and rounded once. The error of an element is at most (k + 2) eps times the sum of
// the absolute values of its k terms. Results do not depend on the number of threads. Errors:
// shape, dtype, value (strides and dilations below 1, negative padding, any above 2^31).

namespace gyre {

struct ConvAttrs {
  Shape stride{1}, padding{0}, dilation{1};
  int64_t groups = 1;
};
GYRE_FIELDS(ConvAttrs, GYRE_FIELD(stride, "stride of the windows"),
            GYRE_FIELD(padding, "zero padding on both sides of each spatial axis"),
            GYRE_FIELD(dilation, "dilation: spacing between kernel elements"),
            GYRE_FIELD(groups, "number of channel groups, convolved independently"));

/// 2-D convolution: out[n, o, i, j] = bias[o] + sum over c, s, t of weight[o, c, s, t] * x[n, c, i
/// * stride + s * dilation - padding, ...]; x is zero outside. weight is [out, channels / groups,
/// kernel height, kernel width], bias [out] or absent; the result is [N, out, (H + 2 padding -
/// dilation (kernel - 1) - 1) / stride + 1, ...].
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {},
              const ConvAttrs& attrs = {});
/// 1-D convolution: weight [out, channels / groups, kernel].
Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias = {},
              const ConvAttrs& attrs = {});

struct ConvTransposeAttrs {
  Shape stride{1}, padding{0}, output_padding{0}, dilation{1};
  int64_t groups = 1;
};
GYRE_FIELDS(ConvTransposeAttrs, GYRE_FIELD(stride, "stride in the result"),
            GYRE_FIELD(padding,
                       "elements removed from both sides of each spatial axis of the result"),
            GYRE_FIELD(output_padding,
                       "elements added at the end of each spatial axis; less than stride"),
            GYRE_FIELD(dilation, "dilation: spacing between kernel elements"),
            GYRE_FIELD(groups, "number of channel groups, convolved independently"));

/// 2-D transposed convolution, the transpose of conv2d as a linear map of x: each x[n, c, i, j]
/// adds weight[c, o, s, t] times itself to out[n, o, i * stride + s * dilation - padding, ...],
/// then bias[o] is added. weight is [channels, out / groups, kernel height, kernel width]; the
/// result is [N, out, (H - 1) stride - 2 padding + dilation (kernel - 1) + output_padding + 1,
/// ...].
Tensor conv_transpose2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {},
                        const ConvTransposeAttrs& attrs = {});
/// 1-D transposed convolution: weight [channels, out / groups, kernel].
Tensor conv_transpose1d(const Tensor& x, const Tensor& weight, const Tensor& bias = {},
                        const ConvTransposeAttrs& attrs = {});

struct ConvWeightAttrs {
  Shape kernel{1}, stride{1}, padding{0}, dilation{1};
  int64_t groups = 1;
};
GYRE_FIELDS(ConvWeightAttrs, GYRE_FIELD(kernel, "kernel size: height and width"),
            GYRE_FIELD(stride, "stride of the windows"),
            GYRE_FIELD(padding, "zero padding on both sides of each spatial axis"),
            GYRE_FIELD(dilation, "dilation: spacing between kernel elements"),
            GYRE_FIELD(groups, "number of channel groups, convolved independently"));

/// Gradient of conv2d with respect to its weight: out[o, c, s, t] = sum over n, i, j of grad[n, o,
/// i, j] * x[n, c, i * stride + s * dilation - padding, ...], for the input x of conv2d and a grad
/// with the shape of its output.
Tensor conv2d_weight_gradient(const Tensor& x, const Tensor& grad, const ConvWeightAttrs& attrs);

}  // namespace gyre
