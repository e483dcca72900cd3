#pragma once
#include "gyre/tensor/tensor.h"

namespace gyre::nn {

/// A number an axis for `axes` axes, of an option with one for each or one for all. Error{value} of
/// `layer` for another count and for numbers below `least`.
Shape for_axes(const char* layer, const char* option, const Shape& given, int axes, int64_t least);

/// Windows over the axes behind axis 1 of x [n, width, ...], along which points lie: [n, places...,
/// points of a window, width]. Error{shape} of `layer` for x of another rank; Error{shape} for a
/// window above an axis.
Tensor point_windows(const char* layer, const Tensor& x, const Shape& kernel, const Shape& stride);

/// Points [n, places..., width] as [n, width, places...].
Tensor as_channels(const Tensor& points);

}  // namespace gyre::nn
