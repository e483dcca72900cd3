#include "gyre/models/decoder/decoder_options.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/io/record_json.h"
#include "gyre/models/decoder/rope_scaling.h"

namespace gyre {
namespace {

struct LayerType {
  const char* name;
  bool window, rotated;
};
constexpr LayerType kLayerTypes[] = {{"full", false, true},
                                     {"window", true, true},
                                     {"unrotated", false, false},
                                     {"window_unrotated", true, false}};

const LayerType* find_type(const std::string& name) {
  const auto* found =
      std::ranges::find(kLayerTypes, name, [](const LayerType& t) { return std::string(t.name); });
  return found == std::end(kLayerTypes) ? nullptr : found;
}

void check_layer_types(const char* op, const DecoderOptions& o) {
  const std::vector<std::string>& types = o.details.layer_types;
  if (types.empty()) return;
  if (static_cast<int64_t>(types.size()) != o.layers) {
    throw Error(Code::value, op,
                {"`layer_types` has ", types.size(), " entries for ", o.layers, " layers"},
                o.layers, types.size());
  }
  for (const std::string& type : types) {
    if (find_type(type)) continue;
    throw Error(Code::value, op,
                "`layer_types` must be full, window, unrotated or window_unrotated, got " + type,
                "full, window, unrotated or window_unrotated", type);
  }
}

}  // namespace

void check_heads(const char* op, const DecoderOptions& o) {
  auto refuse = [&](const Message& message, const Message& expected, int64_t actual) {
    throw Error(Code::value, op, message, expected, actual);
  };
  if (o.heads < 1 || o.width < 1 || (o.head_size == 0 && o.width % o.heads)) {
    refuse({"`width` must be divisible by `heads` (", o.heads, "), got ", o.width},
           {"divisible by ", o.heads}, o.width);
  }
  if (o.heads % o.key_heads()) {
    refuse({"`kv_heads` must divide `heads` (", o.heads, "), got ", o.kv_heads},
           {"divides ", o.heads}, o.kv_heads);
  }
  int64_t rows = 0;
  if (__builtin_mul_overflow(o.heads + 2 * o.key_heads(), o.size_of_head(), &rows))
    refuse({"`head_size` is too large: ", o.head_size}, "a smaller size", o.head_size);
  if (o.positions == Positions::rotary && o.rotated() % 2) {
    refuse({"rotary `positions` need an even head size, got ", o.rotated()}, "even", o.rotated());
  }
  if (o.rotated() > o.size_of_head()) {
    refuse({"`rotary_size` must be at most the head size, ", o.size_of_head()},
           {"<= ", o.size_of_head()}, o.rotated());
  }
  check_rope(op, o);
  check_layer_types(op, o);
}

DecoderOptions DecoderOptions::of_layer(int64_t i) const {
  DecoderOptions o = *this;
  o.details.layer_types.clear();
  const bool alike = details.layer_types.empty();
  const LayerType& type =
      alike ? kLayerTypes[window > 0] : *find_type(details.layer_types[static_cast<size_t>(i)]);
  if (!type.rotated) o.positions = Positions::none;
  if (!type.window) {
    o.window = 0;
  } else if (details.window_rope_base != 0) {
    o.rope_base = details.window_rope_base;
    o.details.rope_scaling = RopeScaling::none;
    o.details.rope_attention = 1;
  }
  return o;
}

bool only_uses(const Record& record, const DecoderOptions& options) {
  DecoderOptions o = options;  // 0 where the value is what 0 stands for
  if (o.kv_heads == o.heads) o.kv_heads = 0;
  if (o.head_size * o.heads == o.width) o.head_size = 0;
  const Json given = record_to_json(o), standard = record_to_json(DecoderOptions());
  for (const Json::Member& member : given.as_object()) {
    if (!find_field(record, member.key) && !(member.value == standard.at(member.key))) return false;
  }
  return true;
}

}  // namespace gyre
