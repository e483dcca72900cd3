#pragma once
#include "gyre/ops/linalg/gemm.h"

namespace gyre {

/// A matrix whose element (i, j) is data[i * row + j * col]; one of the strides is 1.
template <class T>
struct Strided {
  const T* data;
  int64_t row, col = 1;
};

/// C[m, n] (+)= A[m, k] B[k, n], rows of C `c_row` apart.
template <class T>
void multiply_strided(int64_t m, int64_t n, int64_t k, const Strided<T>& a, const Strided<T>& b,
                      T* c, int64_t c_row, bool accumulate) {
  gemm(Gemm<T>{.m = m,
               .n = n,
               .k = k,
               .a = a.data,
               .a_row = a.row,
               .a_col = a.col,
               .b = b.data,
               .b_row = b.row,
               .b_col = b.col,
               .c = c,
               .c_row = c_row,
               .accumulate = accumulate});
}

}  // namespace gyre
