#pragma once
#include "gyre/tensor/tensor.h"

namespace gyre {

/// Error{value} naming `op` if a literal is none of the values of an integer dtype, of which it may
/// be a rounded one: 300 or -1 as u8, 2^40 or NaN as i32. Other tensors, and other dtypes, pass.
void require_fit(const Tensor& literal, DType dtype, const char* op);
/// The same for an integer; booleans are 0 and 1.
void require_fit(int64_t value, DType dtype, const char* op);

}  // namespace gyre
