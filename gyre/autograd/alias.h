#pragma once
#include "gyre/tensor/tensor.h"

namespace gyre {

/// The same values behind a node of its own, or a plain view when nothing is recorded. A backward
/// pass that asks for the gradient of an alias stops there and leaves the history above it alone.
Tensor alias(const Tensor& x);

}  // namespace gyre
