#pragma once
#include "gyre/tensor/tensor.h"

// Reading and adding at places that are data. Indices are i32 or i64 (else Error{dtype}) and count
// from 0; one that is negative or too large is Error{index} with its value and position, found
// before anything is written. Sums into one place are taken in the order of the indices, so that
// bits do not depend on threads; 16-bit floats are summed in f32. Gradients flow through values.

namespace gyre {

struct AlongAttrs {
  int64_t axis = 0;
};
GYRE_FIELDS(AlongAttrs, GYRE_FIELD(axis, "axis that the indices count along"));

/// out[i][j][k] = x[i][index[i][j][k]][k] for axis 1. `index` has the rank of x and is no longer
/// than it along other axes; the result has the shape of `index`. Error{shape}.
Tensor gather(const Tensor& x, int64_t axis, const Tensor& index);

/// x with out[i][index[i][j][k]][k] += src[i][j][k] for axis 1. `index` has the rank of both, is no
/// longer than src along any axis and no longer than x along others. Error{shape}; Error{dtype}
/// when x and src differ or hold booleans.
Tensor scatter_add(const Tensor& x, int64_t axis, const Tensor& index, const Tensor& src);

/// Slices of x along an axis, in the order of `index` [n]. Error{shape}.
Tensor index_select(const Tensor& x, int64_t axis, const Tensor& index);

/// x with slice j of src added to slice index[j]; index is [n], src is x but for n along `axis`.
/// Error{shape}; Error{dtype} when x and src differ or hold booleans.
Tensor index_add(const Tensor& x, int64_t axis, const Tensor& index, const Tensor& src);

/// Rows of weight [rows, ...] at `index` of any shape: [index..., ...]. Error{shape}.
Tensor embedding(const Tensor& weight, const Tensor& index);

struct MaskedFillAttrs {
  double value = 0;
};
GYRE_FIELDS(MaskedFillAttrs, GYRE_FIELD(value, "what replaces masked elements"));

/// x with `value` where mask (boolean, broadcasts to x) is true. Error{shape, dtype}.
Tensor masked_fill(const Tensor& x, const Tensor& mask, double value);

struct OneHotAttrs {
  int64_t classes = 0;
  DType dtype = DType::f32;
};
GYRE_FIELDS(OneHotAttrs, GYRE_FIELD(classes, "length of the new last axis"),
            GYRE_FIELD(dtype, "element type of the result"));

/// [index..., classes]: 1 at the index, else 0. Error{value} for negative classes.
Tensor one_hot(const Tensor& index, const OneHotAttrs& attrs);

}  // namespace gyre
