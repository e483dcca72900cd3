#pragma once
#include "gyre/tensor/tensor.h"

// Windows of images as columns, and back: unfold and fold of torch.nn.functional. (`unfold` is
// taken by the view of windows along one axis, as for tensors of torch.) Attributes that are Shapes
// hold a number for height and one for width; one number alone is for both.

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

/// The transpose of im2col as a linear map: the windows of x [N, C * kernel height * kernel width,
/// windows] added up where they lie in an image [N, C, size]; floating dtypes, summed in f64.
/// Errors as for im2col; Error{shape} when the windows are not as many as fit; Error{dtype}.
Tensor col2im(const Tensor& x, const Col2imAttrs& attrs);

}  // namespace gyre
