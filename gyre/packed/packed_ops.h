#pragma once
#include <string_view>

#include "gyre/base/record.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/packed/packed_product.h"

// Ops on packed operands. The format is an attribute, so that a kernel can plan without reading
// words; by default it is that of the operand.

namespace gyre {

/// What a call says of the format of its packed operand: nothing, or which one it must have.
enum class OperandFormat : uint8_t {
  own,
#define RING(name, ...) name,
#define MATRIX(name, ...) name,
#include "gyre/packed/codec/codecs.def"
};
inline constexpr const char* kOperandFormatNames[] = {
    "own",
#define RING(name, ...) #name,
#define MATRIX(name, ...) #name,
#include "gyre/packed/codec/codecs.def"
};
template <>
inline constexpr std::span<const char* const> kChoices<OperandFormat> = kOperandFormatNames;

inline constexpr const char* kOperandFormatDoc =
    "format of the packed operand; own: whichever it has";

struct PackedAttrs {
  OperandFormat format = OperandFormat::own;
};
GYRE_FIELDS(PackedAttrs, GYRE_FIELD(format, kOperandFormatDoc));

struct PackedMatmulAttrs {
  bool transpose = true;
  OperandFormat format = OperandFormat::own;
};
GYRE_FIELDS(PackedMatmulAttrs, GYRE_FIELD(transpose, "whether to multiply by its transpose"),
            GYRE_FIELD(format, kOperandFormatDoc));

extern const OpDef packed_decode_def, packed_matmul_def, packed_rows_def;

/// Refuses a call of op whose operand is not packed, or in another format than that.
void require_packed(const OpDef& op, const Tensor& w, OperandFormat format);
/// What kernels see of a packed operand.
const PackedMatrix& packed_matrix(const View& w);
/// The format of a packed operand for the attributes.
OperandFormat operand_format(const Tensor& w);
/// Checks the operands of x w^T, or x w, for packed w, and sets the shape of the result.
void infer_product(const OpDef& op, OperandFormat format, bool transpose, Inputs in, Meta& out);

/// The f32 weights that stand in for packed ones, with the gradient of these.
Tensor packed_stand_in(const Tensor& w);

/// A packed operand of a sample: uniform in [-1, 1) before it was encoded.
Tensor packed_uniform(Samples& samples, const Shape& shape, std::string_view format);

}  // namespace gyre
