#pragma once
#include "gyre/tensor/tensor.h"

namespace gyre {

/// Error{value} naming `op` where the dtype has no such number: 300 of u8, -1 of u8, 2^40 of i32.
/// Of an integer literal; others pass, and so does every floating dtype.
void require_fit(const Tensor& literal, DType dtype, const char* op);

}  // namespace gyre
