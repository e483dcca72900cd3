#pragma once
#include "gyre/tensor/tensor.h"

// Pooling as in torch.nn.functional: one value per window of images [N, C, H, W] or signals [N, C,
// L]; N and C may be 0. Attributes of type Shape hold (height, width) or one number for both.
// Floating dtypes; f16 and bf16 are computed in a wider type and rounded once. Errors: shape;
// dtype; value (attributes below 1, or padding of more than half a window).

namespace gyre {

struct MaxPoolAttrs {
  Shape kernel{1}, stride{}, padding{0}, dilation{1};
  bool ceil_mode = false;
};
GYRE_FIELDS(
    MaxPoolAttrs, GYRE_FIELD(kernel, "kernel size: height and width, or length"),
    GYRE_FIELD(stride, "stride of the windows; empty: kernel size"),
    GYRE_FIELD(padding, "implicit -inf padding on both sides of each spatial axis"),
    GYRE_FIELD(dilation, "dilation: spacing between kernel elements"),
    GYRE_FIELD(ceil_mode,
               "round the output size up: a window may extend past the end if it starts inside"));

/// Max pooling; propagates NaN. The gradient goes to one element per window, the first maximum in
/// row-major order (docs/decisions/007-pooling.md). Error{value} for windows that cover padding
/// only.
Tensor max_pool2d(const Tensor& x, const MaxPoolAttrs& attrs);
Tensor max_pool1d(const Tensor& x, const MaxPoolAttrs& attrs);

struct AvgPoolAttrs {
  Shape kernel{1}, stride{}, padding{0};
  bool ceil_mode = false, count_include_pad = true;
};
#define GYRE_AVG_POOL_FIELDS                                                                 \
  GYRE_FIELD(kernel, "kernel size: height and width, or length"),                            \
      GYRE_FIELD(stride, "stride of the windows; empty: kernel size"),                       \
      GYRE_FIELD(padding, "zero padding on both sides of each spatial axis"),                \
      GYRE_FIELD(                                                                            \
          ceil_mode,                                                                         \
          "round the output size up: a window may extend past the end if it starts inside"), \
      GYRE_FIELD(count_include_pad, "include padding in the mean")
GYRE_FIELDS(AvgPoolAttrs, GYRE_AVG_POOL_FIELDS);

/// Average pooling, summed in f64.
Tensor avg_pool2d(const Tensor& x, const AvgPoolAttrs& attrs);
Tensor avg_pool1d(const Tensor& x, const AvgPoolAttrs& attrs);

struct AvgPoolGradientAttrs {
  Shape size{1}, kernel{1}, stride{}, padding{0};
  bool ceil_mode = false, count_include_pad = true;
};
GYRE_FIELDS(AvgPoolGradientAttrs, GYRE_FIELD(size, "height and width of the image"),
            GYRE_AVG_POOL_FIELDS);
#undef GYRE_AVG_POOL_FIELDS

/// Gradient of avg_pool2d (its transpose as a linear map): distributes each value over its window.
/// `grad` has the shape of avg_pool2d's output.
Tensor avg_pool2d_gradient(const Tensor& grad, const AvgPoolGradientAttrs& attrs);

struct AdaptivePoolAttrs {
  Shape size{1};
};
GYRE_FIELDS(AdaptivePoolAttrs, GYRE_FIELD(size, "output size: height and width, or length"));

/// Adaptive pooling: window i of n covers positions floor(i H / n) to ceil((i + 1) H / n) - 1.
Tensor adaptive_avg_pool2d(const Tensor& x, const AdaptivePoolAttrs& attrs);
Tensor adaptive_avg_pool1d(const Tensor& x, const AdaptivePoolAttrs& attrs);
Tensor adaptive_max_pool2d(const Tensor& x, const AdaptivePoolAttrs& attrs);
Tensor adaptive_max_pool1d(const Tensor& x, const AdaptivePoolAttrs& attrs);

/// Gradient of adaptive_avg_pool2d for an image of `size`.
Tensor adaptive_avg_pool2d_gradient(const Tensor& grad, const AdaptivePoolAttrs& attrs);

}  // namespace gyre
