#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gyre/tensor/tensor.h"

namespace gyre {

struct EinsumAttrs {
  std::string spec;
};
GYRE_FIELDS(EinsumAttrs, GYRE_FIELD(spec, "subscripts of operands and result, such as ij,jk->ik"));

/// Einstein summation as numpy.einsum: each axis of an operand has a letter, letters absent from
/// the result are summed, a repeated letter in an operand takes its diagonal, and `...` stands for
/// axes that broadcast from the right. Without `->` the result has the axes of the ellipsis and
/// then, capitals first, the letters that occur once; an ellipsis absent from the result is summed.
/// Spaces are ignored. Operands are promoted to a common dtype; boolean and integers are i64 if
/// anything is summed. Operands are contracted pairwise in the order given by einsum_path; the
/// result may be a view with permuted strides. Error{parse} with the position, Error{value} if the
/// number of operands differs from the spec, Error{shape} naming the index and both operands.
Tensor einsum(std::string_view spec, Inputs tensors);
inline Tensor einsum(std::string_view spec, std::initializer_list<Tensor> tensors) {
  return einsum(spec, Inputs(tensors.begin(), tensors.size()));
}

/// One step of an einsum.
struct EinsumStep {
  /// view: permuted, a diagonal, or without axes of size 1. sum: over axes of one operand.
  /// pointwise: a product that broadcasts. product: batches of matrix products.
  enum Kind : uint8_t { view, sum, pointwise, product } kind;
  std::vector<int> operands;  ///< those of the call, then the results of earlier steps
  std::string spec;           ///< in which axes of an ellipsis have letters of their own
  double flops, bytes;        ///< multiplications and additions; of the result
};
const char* name_of(EinsumStep::Kind kind);

/// Contraction path of an einsum: fewest FLOPs, then least memory, for up to 8 operands; greedy for
/// more: next the pair whose result grows least over its operands.
struct EinsumPath {
  std::vector<EinsumStep> steps;
  double flops = 0;        ///< of all steps
  double naive_flops = 0;  ///< of one loop over all indices
  double bytes = 0;        ///< of all results but the last
  /// A table of the steps and a line of totals.
  std::string text() const;
};
/// Errors as those of einsum.
EinsumPath einsum_path(std::string_view spec, std::span<const Shape> shapes,
                       DType dtype = DType::f32);
EinsumPath einsum_path(std::string_view spec, Inputs tensors);

/// Tensor dot product: sums over the last `axes` axes of x and the first of y (numpy.tensordot).
/// Error{value, shape}.
Tensor tensordot(const Tensor& x, const Tensor& y, int64_t axes = 2);
/// Tensor dot product over axes_x[i] of x and axes_y[i] of y; the result has the other axes of x,
/// then those of y. Error{value} if an axis is repeated or the lists differ in length, Error{index,
/// shape}.
Tensor tensordot(const Tensor& x, const Tensor& y, const Shape& axes_x, const Shape& axes_y);
/// Inner product over the last axis of each (numpy.inner): [..., n] and [---, n] give [..., ---].
/// Error{shape}.
Tensor inner(const Tensor& x, const Tensor& y);

}  // namespace gyre
