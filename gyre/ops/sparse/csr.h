#pragma once
#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

// Sparse matrices [n, m] in compressed sparse rows (CSR), as torch.sparse_csr_tensor has them: the
// elements of row r are values[i] in column col_indices[i], for i from crow_indices[r] to below
// crow_indices[r + 1]. crow_indices is [n + 1] and col_indices [nnz], both i32 or i64. The columns
// of a row may be in any order; elements with equal places add up.
//
// Errors: index for a column outside of [0, m), value for crow_indices that do not rise from 0 to
// nnz, both before anything is written; shape; dtype for indices that are not i32 or i64.

namespace gyre {

/// A sparse matrix [n, m] with values [nnz] times a dense matrix [m, k] or vector [m]: [n, k] or
/// [n]. The result has the promoted dtype of the factors, which are floating; f16 and bf16 are
/// summed in f32. The gradient by `values` is csr_sampled_matmul(.., grad, dense), that by `dense`
/// the product with the transposed matrix. Bits do not depend on the number of threads.
Tensor csr_matmul(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& values,
                  const Tensor& dense);

/// The elements of x y^T at the places of a sparse matrix (sampled dense-dense product), for x
/// [n, k] and y [m, k]: [nnz], element i in row r and column c is the sum over l of x_rl y_cl.
/// Dtypes as in csr_matmul.
Tensor csr_sampled_matmul(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& x,
                          const Tensor& y);

struct CsrTransposeAttrs {
  int64_t columns = -1;
};
GYRE_FIELDS(CsrTransposeAttrs, GYRE_FIELD(columns, "number m of columns of the matrix; required"));

/// The transposed structure of a sparse matrix with m columns.
struct CsrTransposed {
  Tensor crow_indices;  ///< [m + 1], i64
  Tensor col_indices;   ///< [nnz], i64: rows of the matrix, ascending
  Tensor order;         ///< [nnz], i64: the transposed matrix has values[order]
};
/// Error{value} for columns < 0.
CsrTransposed csr_transpose(const Tensor& crow_indices, const Tensor& col_indices, int64_t columns);

}  // namespace gyre
