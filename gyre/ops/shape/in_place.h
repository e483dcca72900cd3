#pragma once
#include "gyre/tensor/tensor.h"

// Writing into a tensor that exists; what holds for every op in place: ops/in_place.h.

namespace gyre {

/// Sets the elements of x to those of `values`, which must broadcast to its shape and are cast to
/// its dtype. While gradients are recorded, x takes the history of `values` in place of its own.
/// The values may be on another device. Error{shape}.
const Tensor& copy_(const Tensor& x, const Tensor& values);

/// Sets every element. x, if tracked, becomes a constant.
const Tensor& fill_(const Tensor& x, double value);

}  // namespace gyre
