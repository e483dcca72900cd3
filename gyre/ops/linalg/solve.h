#pragma once
#include "gyre/tensor/tensor.h"

// Linear systems, inverses and determinants of batches of matrices [..., n, n]. Dtypes and errors
// as in decompositions.h; a singular matrix is Error{numeric} naming its position in the batch.

namespace gyre {

/// Solves a X = b: a [..., n, n], b [..., n, k] or a vector [n]; batches broadcast.
Tensor solve(const Tensor& a, const Tensor& b);

struct TriangularSolveAttrs {
  bool upper = false, transpose = false, unitriangular = false, left = true;
};
GYRE_FIELDS(TriangularSolveAttrs, GYRE_FIELD(upper, "a is upper triangular, otherwise lower"),
            GYRE_FIELD(transpose, "use the transpose of a"),
            GYRE_FIELD(unitriangular, "treat the diagonal of a as ones"),
            GYRE_FIELD(left, "solve a X = b, otherwise X a = b"));

/// Solves a X = b or X a = b for triangular a; the other triangle is not read (nor the diagonal if
/// unitriangular). Batches broadcast.
Tensor triangular_solve(const Tensor& a, const Tensor& b, const TriangularSolveAttrs& attrs = {});

/// Inverse of square matrices.
Tensor inverse(const Tensor& x);

/// Determinants [...], 0 for singular matrices. The gradient is the cofactor matrix, defined for
/// singular matrices too and differentiable everywhere.
Tensor det(const Tensor& x);

/// Sign (-1, 0 or 1) and log |det| of the determinants [...]; 0 and -infinity for singular
/// matrices. The gradient of the sign is zero.
struct SLogDet {
  Tensor sign, logabsdet;
};
SLogDet slogdet(const Tensor& x);

/// Least-squares solution X [..., n, k] minimizing |a X - b|, for a [..., m, n] of full rank and b
/// [..., m, k] or [m]; for m < n the minimum-norm solution of a X = b.
Tensor lstsq(const Tensor& a, const Tensor& b);

struct MatrixPowerAttrs {
  int64_t power = 2;
};
GYRE_FIELDS(MatrixPowerAttrs, GYRE_FIELD(power, "exponent; negative: power of the inverse"));

/// Integer matrix power by repeated squaring.
Tensor matrix_power(const Tensor& x, int64_t power);

}  // namespace gyre
