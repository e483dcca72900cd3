#pragma once
#include "gyre/ops/linalg/product_operand.h"
#include "gyre/ops/sparse/semiring.h"

// Plans (op/launch.h). A run checks the structure of a sparse matrix before it writes anything.

namespace gyre {

/// The places of the elements of a sparse matrix [rows, columns].
struct CsrStructure {
  const int64_t* offsets;  ///< [rows + 1]
  const int64_t* places;   ///< [count], columns
  int64_t rows, columns, count;
};

/// csr_matmul: out [rows, n] = the sparse matrix with these values, times dense [columns, n], all
/// of the compute type.
struct CsrProductPlan {
  CsrStructure matrix;
  DType dtype;  ///< f32 or f64
  const std::byte *values, *dense;
  std::byte* out;
  int64_t n;
};

/// csr_sampled_matmul: out [count] = the elements of x [rows, depth] times the transposed y
/// [columns, depth] at the places of the matrix.
struct CsrSampledPlan {
  CsrStructure matrix;
  DType dtype;  ///< f32 or f64
  const std::byte *x, *y;
  std::byte* out;
  int64_t depth;
};

/// csr_transpose: results as in CsrTransposed.
struct CsrTransposePlan {
  CsrStructure matrix;
  int64_t *offsets, *places, *order;
};

/// semiring_matmul: for each matrix of the batch, which x and y broadcast to,
/// out_ij = best over l of x_il combined with y_lj, and the least such l, -1 where none is better
/// than the identity.
struct SemiringPlan {
  Semiring semiring;
  DType dtype;          ///< of x, y and out: f32 or f64
  ProductOperand x, y;  ///< rows of y are contiguous
  Shape batch;
  std::byte* out;    ///< contiguous
  int64_t* witness;  ///< the same shape; may be null
};

/// semiring_fixpoint: out [n, k] = best of out, which has the elements of b, and a out; a [n, n].
struct FixpointPlan {
  Semiring semiring;
  DType dtype;  ///< of both
  ProductOperand a, out;
};

}  // namespace gyre
