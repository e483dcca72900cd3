#pragma once
#include <vector>

#include "gyre/op/attrs.h"
#include "gyre/op/samples.h"
#include "tests/conformance/layouts.h"

// Variants of an op's samples.

namespace gyre::conformance {

using Call = Samples::Call;

/// The samples of an op, generated once.
const Samples& samples_of(const OpDef& op);

/// "softmax #2 transposed f16": where a check failed.
std::string place(const OpDef& op, size_t sample, const std::string& how);

/// The argument that operand i belongs to.
const Arg& argument(const OpDef& op, size_t i);
/// Whether the results of the op are packed weights. Derivatives do not exist then: words are
/// discrete, and a gradient of the op is straight-through.
bool gives_packed(const OpDef& op);
/// True when the operand takes part in variants of layout, size and batch: it is no packed weights.
bool is_plain(const Tensor& t);
/// True when the operand takes part in dtype variants: it is plain and floating in the sample.
bool is_varied(const Tensor& t);
/// True when derivatives with respect to operand i exist.
bool is_smooth(const OpDef& op, const Tensors& in, size_t i);

/// The operands in that layout, floating ones in `dtype`.
Tensors operands(const Call& call, DType dtype, Order order);
/// The same values as contiguous f64, other dtypes unchanged: operands of the reference.
Tensors widened(const Tensors& in);
/// Copies whose floating elements become values of an integer dtype.
Tensors whole_numbers(const Call& call, DType dtype);

/// A copy of attributes with one field changed, for any op, by its Record.
Attrs with_integer(const Attrs& attrs, const Field& field, int64_t value);
Attrs with_shape(const Attrs& attrs, const Field& field, const Shape& value);

/// The same call with an axis so long that drivers use several tiles and chunks: for each size in
/// turn, all axes of that size grow, up to `elements` per operand, and values repeat with changes
/// of up to 1 %. Calls that the op rejects, or that enlarge the results even more, are left out.
std::vector<Call> enlarged(const OpDef& op, const Call& call, int64_t elements);

/// Operands of which index 0 of one axis repeats along it (repeat_along): materialised and by
/// stride 0. Integers stay as they are where the op refuses them so, as offsets that must rise.
struct Expanded {
  Tensors dense, strided;
  bool any = false;  ///< whether one repeats
};
Expanded expanded(const OpDef& op, const Tensors& in, const Attrs& attrs, bool last);

/// Total elements of the operands.
int64_t elements_of(const Tensors& in);
/// The first two operands that may be one tensor: same shape and both floating; false if none.
bool find_alias(const Call& call, size_t& first, size_t& second);

}  // namespace gyre::conformance
