#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "gyre/base/record.h"

namespace gyre {

/// The formats of packed weights, those of packed/codec/codecs.def.
enum class PackedFormat : uint8_t {
#define RING(name, ...) name,
#define MATRIX(name, ...) name,
#include "gyre/packed/codec/codecs.def"
};
inline constexpr const char* kPackedFormatNames[] = {
#define RING(name, ...) #name,
#define MATRIX(name, ...) #name,
#include "gyre/packed/codec/codecs.def"
};
template <>
inline constexpr std::span<const char* const> kChoices<PackedFormat> = kPackedFormatNames;

/// A format: a RingFormat (packed/ring.h) or a MatrixCodec (packed/codec/matrix_codec.h).
struct Codec {
  const char* name;
  PackedFormat format;
  /// Whether its words are rings: only these can be trained, calibrated, and multiplied by
  /// activations of 8 bits.
  bool has_rings;
  /// Expected size of the differences over that of the numbers, for independent N(0, 1) numbers.
  double error;
};

const Codec& codec(PackedFormat format);
/// The format of that name; null if there is none.
const Codec* find_codec(std::string_view name);
/// The same. Error{value}, which lists the names, if there is none.
const Codec& codec(std::string_view name);

}  // namespace gyre
