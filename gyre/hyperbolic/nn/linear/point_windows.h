#pragma once
#include "gyre/tensor/tensor.h"

namespace gyre::nn {

/// One number per axis from an option with one number per axis or one for all. Error{value} in the
/// name of `layer` for another count or numbers below `least`.
Shape for_axes(const char* layer, const char* option, const Shape& given, int axes, int64_t least);

/// Sliding windows over the spatial axes of x [n, width, ...], points along axis 1: [n,
/// positions..., points of a window, width]. Error{shape} in the name of `layer` for x of another
/// rank; Error{shape} for a window larger than an axis.
Tensor point_windows(const char* layer, const Tensor& x, const Shape& kernel, const Shape& stride);

/// Points [n, positions..., width] as [n, width, positions...].
Tensor as_channels(const Tensor& points);

}  // namespace gyre::nn
