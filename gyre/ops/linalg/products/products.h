#pragma once
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/tensor.h"

// Products that are compositions of matmul and elementwise ops. Differentiable to any order.

namespace gyre {

struct AddmmAttrs {
  double beta = 1, alpha = 1;
};
GYRE_FIELDS(AddmmAttrs, GYRE_FIELD(beta, "factor of x; 0 ignores its values, NaN included"),
            GYRE_FIELD(alpha, "factor of the product"));

/// beta x + alpha (a b) for matrices or batches a, b as in matmul; x broadcasts to the product.
/// Error{shape}.
Tensor addmm(const Tensor& x, const Tensor& a, const Tensor& b, const AddmmAttrs& attrs = {});

struct TensordotAttrs {
  Shape x_axes, y_axes;
};
GYRE_FIELDS(TensordotAttrs, GYRE_FIELD(x_axes, "axes of x to sum over"),
            GYRE_FIELD(y_axes, "axes of y to sum over, in the order of x_axes"));

/// Sum of products over pairs of axes (numpy.tensordot): the other axes of x, then those of y.
/// Dtypes as in matmul. Error{shape} when the sizes of a pair differ; Error{value} when the lists
/// differ in length or repeat an axis.
Tensor tensordot(const Tensor& x, const Tensor& y, const TensordotAttrs& attrs);

/// Kronecker product: every element of x times y; the shape is the product of the shapes, which are
/// aligned from the last axis (numpy.kron).
Tensor kron(const Tensor& x, const Tensor& y);

struct CrossAttrs {
  int64_t axis = -1;
};
GYRE_FIELDS(CrossAttrs, GYRE_FIELD(axis, "axis of the vectors, of size 3, after broadcasting"));

/// Cross product of 3-d vectors along an axis; x and y broadcast. Error{shape} unless it has size
/// 3.
Tensor cross(const Tensor& x, const Tensor& y, const CrossAttrs& attrs = {});

/// Sum of the diagonal of two axes (numpy.trace). Errors as diagonal().
Tensor trace(const Tensor& x, const DiagonalAttrs& attrs = {});

struct CdistAttrs {
  double p = 2;
};
GYRE_FIELDS(CdistAttrs, GYRE_FIELD(p, "order of the norm; 0 and inf allowed"));

/// Pairwise distances |x_i - y_j|_p of rows: x [..., m, d], y [..., n, d], [..., m, n] with
/// broadcast batches. Computed from differences, so close rows keep their digits; needs memory for
/// m n d elements. The gradient is 0 where rows coincide. Error{shape}.
Tensor cdist(const Tensor& x, const Tensor& y, const CdistAttrs& attrs = {});

}  // namespace gyre
