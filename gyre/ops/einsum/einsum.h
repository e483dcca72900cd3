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

/// The sum of products that a spec names, by Einstein's convention as in NumPy: each axis of an
/// operand has a letter, letters that the result lacks are summed, a letter twice in an operand
/// takes its diagonal, and `...` stands for axes that broadcast from the right. Without `->` the
/// result has the axes of the ellipsis and then, capitals first, the letters that come once; an
/// ellipsis that the result lacks is summed. Spaces do not count.
/// Operands meet in their promoted dtype; boolean and integers are i64 when anything is summed.
/// The operands are contracted by pairs, as einsum_path says; the result may be a view with
/// permuted strides. Error{parse} with the position, Error{value} for another number of operands
/// than the spec's, Error{shape} naming the index and both operands.
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

/// How an einsum is computed: the contractions that take the fewest FLOPs, and among those the
/// least memory, for up to 8 operands; for more, the pair next whose result outgrows its operands
/// least.
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

/// x and y summed over the last `axes` axes of x with the first of y. Error{value, shape}.
Tensor tensordot(const Tensor& x, const Tensor& y, int64_t axes = 2);
/// x and y summed over axes_x[i] of x with axes_y[i] of y; the result has the other axes of x, then
/// those of y. Error{value} when one comes twice or the lists differ in length, Error{index,
/// shape}.
Tensor tensordot(const Tensor& x, const Tensor& y, const Shape& axes_x, const Shape& axes_y);
/// x and y summed over the last axis of each: [..., n] and [---, n] give [..., ---]. Error{shape}.
Tensor inner(const Tensor& x, const Tensor& y);

}  // namespace gyre
