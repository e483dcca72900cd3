#include "gyre/models/decoder/llama/layer_types.h"

#include <string>

#include "gyre/base/in_file.h"

namespace gyre::llama {
namespace {

constexpr const char* kFull = "full_attention";

bool has_window(const std::string& type) { return type.starts_with("window"); }

}  // namespace

// Sets window and layer_types from whether each layer has a window and is rotated.
void set_layers(DecoderOptions& o, int64_t window, const std::vector<bool>& windowed,
                const std::vector<bool>& rotated) {
  std::vector<std::string> types;
  bool some = false, mixed = false;
  for (size_t i = 0; i < windowed.size(); ++i) {
    types.push_back(rotated[i] ? (windowed[i] ? "window" : "full")
                               : (windowed[i] ? "window_unrotated" : "unrotated"));
    some |= windowed[i];
    mixed |= types[i] != types[0] || !rotated[i];
  }
  o.window = some ? window : 0;
  if (mixed) o.details.layer_types = std::move(types);
}

// Whether each layer has a window: config.json's layer_types, or by `otherwise`.
std::vector<bool> windowed_layers(const ConfigFields& c, const DecoderOptions& o,
                                  FunctionRef<bool(int64_t layer)> otherwise) {
  std::vector<bool> windowed;
  if (const Json* types = c.find("layer_types")) {
    in_file(c.path(), [&] {
      for (const Json& type : types->as_array("layer_types")) {
        if (!(type == Json(kFull)) && !(type == Json(kSliding)))
          c.refuse("layer_types", type, "full_attention or sliding_attention");
        windowed.push_back(type == Json(kSliding));
      }
    });
    if (static_cast<int64_t>(windowed.size()) != o.layers)
      c.refuse("layer_types", *types, "an entry for each layer");
  } else {
    for (int64_t i = 0; i < o.layers; ++i) windowed.push_back(otherwise(i));
  }
  return windowed;
}

void read_windows(const ConfigFields& c, DecoderOptions& o, bool on, int64_t window,
                  FunctionRef<bool(int64_t layer)> otherwise) {
  window = on ? c.integer_or("sliding_window", window) : 0;
  const std::vector<bool> windowed = windowed_layers(c, o, otherwise);
  if (window > 0) set_layers(o, window, windowed, std::vector<bool>(windowed.size(), true));
}

Json layer_types(const DecoderOptions& o) {
  Json types = Json::array();
  for (int64_t i = 0; i < o.layers; ++i) {
    const std::vector<std::string>& own = o.details.layer_types;
    const bool window = own.empty() ? o.window > 0 : has_window(own[static_cast<size_t>(i)]);
    types.push_back(window ? kSliding : kFull);
  }
  return types;
}

Json window_or_null(const DecoderOptions& o) { return o.window ? Json(o.window) : Json(); }

}  // namespace gyre::llama
