#pragma once
#include "gyre/packed/packed_product.h"

namespace gyre {

/// y [n, rows] = x w^T for x [n, cols]. x is rounded to bytes in the basis of w's numbers, with a
/// unit for each row and group of inputs: relative error about 0.007. For n > 1 the numbers of w
/// are bytes, too: 0.008 (formats of one layer), 0.01 (two). The same bits on every instruction set
/// and any number of threads. Rows of x that are not finite give NaN. std::bad_alloc when out of
/// memory.
void multiply_transposed_int8(const PackedMatrix& w, const float* x, int64_t n, float* y);

}  // namespace gyre
