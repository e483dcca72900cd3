#pragma once
#include "gyre/tensor/tensor.h"

// Linear equations and determinants of batches of matrices [..., n, n]. Dtypes and errors as in
// decompositions.h; a singular matrix is Error{numeric} naming its place in the batch.

namespace gyre {

/// X with a X = b: a [..., n, n], b [..., n, k], or a vector [n]; batches broadcast.
Tensor solve(const Tensor& a, const Tensor& b);

struct TriangularSolveAttrs {
  bool upper = false, transpose = false, unitriangular = false, left = true;
};
GYRE_FIELDS(TriangularSolveAttrs, GYRE_FIELD(upper, "a is upper triangular, otherwise lower"),
            GYRE_FIELD(transpose, "use the transpose of a"),
            GYRE_FIELD(unitriangular, "treat the diagonal of a as ones"),
            GYRE_FIELD(left, "solve a X = b, otherwise X a = b"));

/// X with a X = b, or X a = b, for a triangular a, whose other triangle is not read (nor its
/// diagonal when that counts as ones). Batches broadcast.
Tensor triangular_solve(const Tensor& a, const Tensor& b, const TriangularSolveAttrs& attrs = {});

/// The inverse matrices.
Tensor inverse(const Tensor& x);

/// Determinants [...], 0 for singular matrices. The gradient is the matrix of cofactors, which
/// singular matrices have, too; it can be differentiated again everywhere.
Tensor det(const Tensor& x);

/// Sign (-1, 0 or 1) and logarithm of the magnitude of the determinants [...]; 0 and -infinity for
/// singular matrices. The gradient of the sign is zero.
struct SLogDet {
  Tensor sign, logabsdet;
};
SLogDet slogdet(const Tensor& x);

/// X [..., n, k] with the least |a X - b|, for a [..., m, n] of full rank and b [..., m, k] or [m];
/// for m < n, of all that solve a X = b, the X of least norm.
Tensor lstsq(const Tensor& a, const Tensor& b);

struct MatrixPowerAttrs {
  int64_t power = 2;
};
GYRE_FIELDS(MatrixPowerAttrs, GYRE_FIELD(power, "exponent; negative: power of the inverse"));

/// x to an integer power by repeated squaring.
Tensor matrix_power(const Tensor& x, int64_t power);

}  // namespace gyre
