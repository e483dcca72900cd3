#pragma once
#include <string>

#include "gyre/tensor/tensor.h"

namespace gyre::python {

/// The text of repr(), as PyTorch's: elements with four digits after the point, or in scientific
/// notation if the largest is more than 1000 times the smallest, above 1e8, or the smallest below
/// 1e-4; lines of at most 80 characters; then the shape of an empty tensor, the dtype unless it is
/// that of literals (f32, i64, boolean), and the autograd state.
std::string tensor_text(const Tensor& t);

}  // namespace gyre::python
