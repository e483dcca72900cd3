#pragma once
#include <string>

#include "gyre/io/json.h"

// config.json of folders with packed weights, which no other program can use. transformers would
// skip a `quantization_config` with an unknown `quant_method` and leave the weights random. It
// refuses a `model_type` that it does not know (Auto classes, by name), and a `quantization_config`
// without `quant_method` (classes of models, such as GPT2LMHeadModel).

namespace gyre {

/// The field of config.json that says how weights are packed.
inline constexpr const char* kQuantization = "quantization_config";

/// Says in a config.json that weights are packed: `model_type` "llama" becomes
/// "gyre_packed_llama".
void mark_packed(Json& config);

/// The content of a config.json, with the `model_type` that it had before mark_packed(). Errors of
/// Json::read().
Json read_model_config(const std::string& path);

/// Error{unsupported} for weights packed by another method.
void check_quantization(const Json& config, const std::string& path);

}  // namespace gyre
