#pragma once
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/models/decoder/decoder_options.h"
#include "gyre/models/files/config_fields.h"

// Which layers have a sliding window, and which are rotated, in config.json and in DecoderOptions.

namespace gyre::llama {

inline constexpr const char* kSliding = "sliding_attention";

/// Sets window and layer_types from whether each layer has a window and is rotated.
void set_layers(DecoderOptions& options, int64_t window, const std::vector<bool>& windowed,
                const std::vector<bool>& rotated);

/// Whether each layer has a window: config.json's layer_types, or by `otherwise`.
std::vector<bool> windowed_layers(const ConfigFields& config, const DecoderOptions& options,
                                  FunctionRef<bool(int64_t layer)> otherwise);

/// Sets the windows of layers that are all rotated; if not `on`, there are none. `window` is the
/// size where config.json has none.
void read_windows(const ConfigFields& config, DecoderOptions& options, bool on, int64_t window,
                  FunctionRef<bool(int64_t layer)> otherwise);

/// The array layer_types of config.json.
Json layer_types(const DecoderOptions& options);
/// The field sliding_window of config.json.
Json window_or_null(const DecoderOptions& options);

}  // namespace gyre::llama
