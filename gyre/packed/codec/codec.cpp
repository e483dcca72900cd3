#include "gyre/packed/codec/codec.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "gyre/base/error.h"
#include "gyre/packed/codec/matrix_codec.h"
#include "gyre/packed/group_encoder.h"
#include "gyre/packed/ring.h"

namespace gyre {
namespace {

constexpr MatrixCodec kMatrixCodecs[] = {
#define MATRIX(name, error) {{#name, PackedFormat::name, error}, &name##_functions},
#include "gyre/packed/codec/codecs.def"
};

}  // namespace

const Codec& codec(PackedFormat format) {
  const auto number = static_cast<size_t>(format), rings = ring_formats().size();
  if (number < rings) return ring_formats()[number];
  return kMatrixCodecs[number - rings];
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

void refuse_large_weights(int64_t row) {
  throw Error(Code::numeric, kPackedEncode, {"weights of row ", row, " are too large"});
}

}  // namespace gyre
