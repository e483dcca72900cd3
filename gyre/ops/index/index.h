#pragma once
#include <initializer_list>
#include "gyre/op/view_history.h"

#include "gyre/base/record.h"
#include "gyre/op/number.h"
#include "gyre/tensor/tensor.h"

// Indexing, gather and scatter. Indices are i32 or i64 (else Error{dtype}) and count from 0 (index,
// index_put and take also accept negative ones, from the end); an index out of range is
// Error{index} with its value and position, raised before anything is written. Sums into one
// element run in the order of the indices, so results do not depend on the number of threads;
// 16-bit floats are summed in f32. Gradients flow through values.

namespace gyre {

struct AlongAttrs {
  int64_t axis = 0;
};
GYRE_FIELDS(AlongAttrs, GYRE_FIELD(axis, "axis that index refers to"));

/// out[i][j][k] = x[i][index[i][j][k]][k] for axis 1. `index` has the rank of x and is no longer
/// than it along other axes; the result has the shape of `index`. Error{shape}.
Tensor gather(const Tensor& x, int64_t axis, const Tensor& index);

/// x with out[i][index[i][j][k]][k] += src[i][j][k] for axis 1. `index` has the rank of both, is no
/// longer than src along any axis and no longer than x along others. Error{shape}; Error{dtype}
/// when x and src differ or hold booleans.
Tensor scatter_add(const Tensor& x, int64_t axis, const Tensor& index, const Tensor& src);

/// x with out[i][index[i][j][k]][k] = src[i][j][k] for axis 1, shapes as in scatter_add; if several
/// sources write one element, the last wins and only it gets a gradient. Error{shape}; Error{dtype}
/// when x and src differ.
Tensor scatter(const Tensor& x, int64_t axis, const Tensor& index, const Tensor& src);

/// Reductions of scatter_reduce.
enum class ScatterFold : uint8_t { sum, prod, mean, amax, amin };
inline constexpr const char* kScatterFoldNames[] = {"sum", "prod", "mean", "amax", "amin"};
template <>
inline constexpr std::span<const char* const> kChoices<ScatterFold> = kScatterFoldNames;

struct ScatterReduceAttrs {
  int64_t axis = 0;
  ScatterFold reduce = ScatterFold::sum;
  bool include_self = true;
};
GYRE_FIELDS(ScatterReduceAttrs, GYRE_FIELD(axis, "axis that index refers to"),
            GYRE_FIELD(reduce, "reduction of the elements at one index"),
            GYRE_FIELD(include_self,
                       "include the element of x in the reduction; otherwise it is replaced"));

/// Reduces src into x at index along an axis, shapes as in scatter_add: sum, product, mean, maximum
/// or minimum (NaN propagates; ties share the gradient). Error{shape}; Error{dtype} when x and src
/// differ or hold booleans, and for the mean of integers.
Tensor scatter_reduce(const Tensor& x, const Tensor& index, const Tensor& src,
                      const ScatterReduceAttrs& attrs);

/// Slices of x along an axis, in the order of `index` [n]. Error{shape}.
Tensor index_select(const Tensor& x, int64_t axis, const Tensor& index);

/// x with slice j of src added to slice index[j]; index is [n], src has the shape of x with n along
/// `axis`. Error{shape}; Error{dtype} when x and src differ or hold booleans.
Tensor index_add(const Tensor& x, int64_t axis, const Tensor& index, const Tensor& src);

/// Overwrites rows of a contiguous x: x[index[i]] = values[i], index [n], values [n, ...]. Other
/// rows are not read. Not recorded: for state. Error{index, shape, dtype}; value when x is not
/// contiguous, for tracked tensors unless under NoGrad, and as ops/in_place.h. On error nothing has
/// changed.
const Tensor& index_copy_(const Tensor& x, const Tensor& index, const Tensor& values);

/// Advanced indexing as in NumPy, one index tensor per axis starting from the first: integers in
/// [-n, n) index an axis of size n; a boolean mask acts as the coordinates of its true elements and
/// consumes as many axes as its rank; an empty Tensor keeps its axis (like `:`). The broadcast
/// shape of the indices replaces the first indexed axis, or comes first if a kept axis lies between
/// them. Error{shape}.
Tensor index(const Tensor& x, Inputs indices);
inline Tensor index(const Tensor& x, std::initializer_list<Tensor> indices) {
  return index(x, Inputs(indices.begin(), indices.size()));
}

struct IndexPutAttrs {
  bool accumulate = false;
};
GYRE_FIELDS(IndexPutAttrs, GYRE_FIELD(accumulate, "add values instead of overwriting"));

/// x with values, which broadcast to index(x, indices), written or added there. If several values
/// write one element, the last in row-major order of the broadcast index tensors wins and only it
/// gets a gradient. Error{shape}; Error{dtype} when x and values differ, and for adding booleans.
Tensor index_put(const Tensor& x, Inputs indices, const Tensor& values, bool accumulate = false);
inline Tensor index_put(const Tensor& x, std::initializer_list<Tensor> indices,
                        const Tensor& values, bool accumulate = false) {
  return index_put(x, Inputs(indices.begin(), indices.size()), values, accumulate);
}

/// Elements of x at flat (row-major) indices in [-n, n) for n elements; the result has the shape of
/// `index`.
Tensor take(const Tensor& x, const Tensor& index);

/// [n]: the elements of x where the boolean mask is true, in row-major order of the broadcast
/// shape. Error{shape, dtype}.
Tensor masked_select(const Tensor& x, const Tensor& mask);

/// [n, rank] (i64): the indices of the nonzero elements, in row-major order.
Tensor nonzero(const Tensor& x);

/// Rows of weight [rows, ...] at `index` of any shape: [index..., ...]. Error{shape}.
Tensor embedding(const Tensor& weight, const Tensor& index);

struct MaskedFillAttrs {
  Number value{};
};
GYRE_FIELDS(MaskedFillAttrs,
            GYRE_FIELD(value, "fill value for elements where mask is true", .tags = kExact));

/// x with `value`, converted to its dtype, where mask (boolean, broadcasts to x) is true.
/// Error{shape, dtype}; value if `value` is out of range of an integer dtype.
Tensor masked_fill(const Tensor& x, const Tensor& mask, Number value);

struct OneHotAttrs {
  int64_t classes = -1;
  DType dtype = DType::f32;
};
GYRE_FIELDS(OneHotAttrs,
            GYRE_FIELD(classes, "number of classes: size of the new last axis; required",
                       .alias = "num_classes"),
            GYRE_FIELD(dtype, "element type of the result"));

/// [index..., classes]: 1 at the index, else 0. Error{value} without classes.
Tensor one_hot(const Tensor& index, const OneHotAttrs& attrs);

/// The elements offset + sum(strides * index) of x, counted in row-major order; a view if x is
/// contiguous, otherwise of a copy. Error{value} if they lie outside of x.
Tensor as_strided(const Tensor& x, const StridesAttrs& attrs);
/// A copy of x with src, of that shape, at these elements. Error{value} if one is named twice;
/// Error{shape, dtype}.
Tensor as_strided_scatter(const Tensor& x, const Tensor& src, const StridesAttrs& attrs);

}  // namespace gyre
