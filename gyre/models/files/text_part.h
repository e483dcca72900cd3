#pragma once
#include <string>
#include <string_view>

#include "gyre/io/json.h"

// Folders of models for images and text (Gemma3ForConditionalGeneration): their text part alone is
// a language model.

namespace gyre {

/// The model_type of such a folder.
inline constexpr const char* kWholeType = "gemma3";

/// Whether config.json is of a model whose text part is read.
bool has_text_part(const Json& config);

/// The config.json that the text part would have as a folder of its own (gemma3_text): the fields
/// of text_config, completed by transformers' defaults, with the ids of special tokens and
/// the quantization_config of the whole. `path` is for errors: Error{parse}; Error{unsupported} for
/// another model_type in text_config.
Json text_part_config(const Json& config, const std::string& path);

/// The name that a tensor of the whole model has in the text part; empty for those of images.
std::string text_part_name(std::string_view name);

/// The reverse: the name in the whole model of a tensor of the text part, in the form that `like`,
/// another name in the whole model, has.
std::string whole_name(std::string_view name, std::string_view like);

}  // namespace gyre
