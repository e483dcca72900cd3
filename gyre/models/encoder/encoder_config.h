#pragma once
#include <string>
#include <string_view>

#include "gyre/io/json.h"
#include "gyre/models/encoder/encoder_options.h"

// What config.json says of text encoders.

namespace gyre {

/// Whether config.json's `model_type` is one of a text encoder.
bool is_encoder_type(std::string_view model_type);
/// These types, comma-separated.
std::string encoder_types();

/// The options in a config.json; `path` is for errors. Error{unsupported} naming field and value,
/// also for another model_type; Error{parse, value}.
EncoderOptions read_encoder_config(const Json& config, const std::string& path);

}  // namespace gyre
