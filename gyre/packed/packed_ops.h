#pragma once
#include "gyre/base/record.h"
#include "gyre/op/op_def.h"

// Ops on packed operands. The format is an attribute, so that a kernel plans without reading words.

namespace gyre {

/// The formats of ring_formats.def.
enum class PackedFormat : uint8_t {
#define X(name, ...) name,
#include "gyre/packed/ring_formats.def"
#undef X
};
inline constexpr const char* kPackedFormatNames[] = {
#define X(name, ...) #name,
#include "gyre/packed/ring_formats.def"
#undef X
};
template <>
inline constexpr std::span<const char* const> kChoices<PackedFormat> = kPackedFormatNames;

struct PackedAttrs {
  PackedFormat format = PackedFormat::D4;
};
GYRE_FIELDS(PackedAttrs, GYRE_FIELD(format, "format of the packed operand"));

struct PackedMatmulAttrs {
  PackedFormat format = PackedFormat::D4;
  bool transpose = true;
};
GYRE_FIELDS(PackedMatmulAttrs, GYRE_FIELD(format, "format of the packed operand"),
            GYRE_FIELD(transpose, "whether to multiply by its transpose"));

extern const OpDef packed_decode_def, packed_matmul_def, packed_rows_def;

/// The f32 weights that stand in for packed ones, with the gradient of these.
Tensor packed_stand_in(const Tensor& w);

}  // namespace gyre
