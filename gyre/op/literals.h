#pragma once
#include "gyre/tensor/tensor.h"

namespace gyre {

/// Error{value} naming `op` if an integer literal is not representable: 300 as u8, -1 as u8, 2^40
/// as i32. Other literals, and floating dtypes, pass.
void require_fit(const Tensor& literal, DType dtype, const char* op);

}  // namespace gyre
