#pragma once
#include "gyre/tensor/tensor.h"

// Decompositions of batches of matrices, [..., rows, columns], by LAPACK: in f64 or f32, 16-bit
// dtypes in f32. Gradients of every order. Errors: shape; dtype for integers; numeric naming the
// matrix of the batch for which the decomposition does not exist; resource beyond 30,000 rows or
// columns; unavailable in a build without OpenBLAS.

namespace gyre {

/// Cholesky decomposition: the lower triangular L with x = L L^T, for the symmetric part (x + x^T)
/// / 2 of x [..., n, n]. Error{numeric} when that is not positive definite. Gradient by I. Murray,
/// "Differentiation of the Cholesky decomposition", 2016, eq. 10.
Tensor cholesky(const Tensor& x);

/// Reduced QR decomposition x [..., m, n] = q r with k = min(m, n): q [..., m, k] has orthonormal
/// columns, r [..., k, n] is upper triangular with a non-negative diagonal. The gradient requires
/// linearly independent first k columns of x (Error{numeric}).
struct QR {
  Tensor q, r;
};
QR qr(const Tensor& x);

/// Reduced singular value decomposition x [..., m, n] = u diag(s) vh with k = min(m, n): u [..., m,
/// k] and vh [..., k, n]^T have orthonormal columns, s [..., k] is non-negative and descending; the
/// entry of largest magnitude in each column of u is positive. Gradients of u and vh require
/// distinct singular values; terms of equal ones are set to zero. Error{numeric} for NaN and
/// infinity; Error{resource} if m and n both exceed 20,700. J. Townsend, "Differentiating the
/// singular value decomposition", 2016.
struct SVD {
  Tensor u, s, vh;
};
SVD svd(const Tensor& x);

/// Eigendecomposition of symmetric matrices: (x + x^T) / 2 = vectors diag(values) vectors^T for x
/// [..., n, n]: values [..., n] ascend; the entry of largest magnitude in each column of vectors
/// [..., n, n] is positive. Gradients of vectors require distinct eigenvalues; terms of equal ones
/// are set to zero. Error{numeric} for NaN and infinity. M. Giles, "Collected matrix derivative
/// results", 2008, section 3.1.
struct Eigh {
  Tensor values, vectors;
};
Eigh eigh(const Tensor& x);

struct PinvAttrs {
  double rtol = -1;
};
GYRE_FIELDS(PinvAttrs,
            GYRE_FIELD(rtol,
                       "singular values up to rtol times the largest count as 0; negative: "
                       "max(m, n) times the machine epsilon"));

/// Moore-Penrose pseudoinverse [..., n, m] of x [..., m, n], by its singular values. The gradient
/// is that at constant rank, also where singular values are equal. G. Golub and V. Pereyra, "The
/// differentiation of pseudo-inverses", 1973.
Tensor pinv(const Tensor& x, double rtol = -1);

}  // namespace gyre
