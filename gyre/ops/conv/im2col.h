#pragma once
#include "gyre/tensor/tensor.h"

// im2col and col2im: unfold and fold of torch.nn.functional (here `unfold` is the view of sliding
// windows along one axis, as torch.Tensor.unfold). Attributes of type Shape hold (height, width) or
// one number for both.

namespace gyre {

struct Im2colAttrs {
  Shape kernel{1}, stride{1}, padding{0}, dilation{1};
};
GYRE_FIELDS(Im2colAttrs, GYRE_FIELD(kernel, "kernel size: height and width"),
            GYRE_FIELD(stride, "stride of the windows"),
            GYRE_FIELD(padding, "zero padding on each side of the image"),
            GYRE_FIELD(dilation, "dilation: spacing between kernel elements"));

/// x [N, C, H, W] to [N, C * kernel height * kernel width, windows], windows in row-major order;
/// any dtype. A new tensor. Error{shape} when no window fits, Error{value} for strides and
/// dilations below 1 and negative padding.
Tensor im2col(const Tensor& x, const Im2colAttrs& attrs);

struct Col2imAttrs {
  Shape size{1}, kernel{1}, stride{1}, padding{0}, dilation{1};
};
GYRE_FIELDS(Col2imAttrs, GYRE_FIELD(size, "height and width of the image"),
            GYRE_FIELD(kernel, "kernel size: height and width"),
            GYRE_FIELD(stride, "stride of the windows"),
            GYRE_FIELD(padding, "zero padding on each side of the image"),
            GYRE_FIELD(dilation, "dilation: spacing between kernel elements"));

/// col2im, the transpose of im2col as a linear map: sums the windows of x [N, C * kernel height *
/// kernel width, windows] at their positions in an image [N, C, size]; floating dtypes, summed in
/// f64. Errors as for im2col; Error{shape} for a wrong number of windows; Error{dtype}.
Tensor col2im(const Tensor& x, const Col2imAttrs& attrs);

}  // namespace gyre
