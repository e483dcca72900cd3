#include "gyre/packed/codec/codec.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "gyre/base/error.h"
#include "gyre/packed/codec/matrix_codec.h"
#include "gyre/packed/ring.h"

namespace gyre {
namespace {

enum Ring {
#define RING(name, ...) ring_##name,
#include "gyre/packed/codec/codecs.def"
};

#define MATRIX(name, error) \
  constexpr MatrixCodec name##_codec{{#name, PackedFormat::name, false, error}, &name##_functions};
#include "gyre/packed/codec/codecs.def"

}  // namespace

const Codec& codec(PackedFormat format) {
  static const Codec* const all[] = {
#define RING(name, ...) &ring_formats()[ring_##name],
#define MATRIX(name, ...) &name##_codec,
#include "gyre/packed/codec/codecs.def"
  };
  return *all[static_cast<size_t>(format)];
}

const Codec* find_codec(std::string_view name) {
  const auto found = std::ranges::find(kPackedFormatNames, name);
  if (found == std::end(kPackedFormatNames)) return nullptr;
  return &codec(static_cast<PackedFormat>(found - std::begin(kPackedFormatNames)));
}

const Codec& codec(std::string_view name) {
  if (const Codec* found = find_codec(name)) return *found;
  std::string known;
  for (const char* format : kPackedFormatNames)
    known += (known.empty() ? "" : ", ") + std::string(format);
  throw Error(Code::value, "packed", {"unknown format ", name, "; expected ", known}, known, name);
}

}  // namespace gyre
