#pragma once
#include <memory>
#include <string>

#include "gyre/base/system/file.h"
#include "gyre/models/encoder/text_encoder.h"

namespace gyre {

/// Whether a folder has the config.json of a text encoder. Error{io, parse} for a config.json that
/// cannot be read.
bool is_encoder_folder(const std::string& folder);

/// Loads the text encoder of a folder as transformers writes it: config.json and model.safetensors,
/// or its shards; with FileAccess::map weights stay in the mapped files. Its dtype is that of the
/// token embeddings. Error{unsupported} naming field and value for what would compute otherwise,
/// and for the model_type of a language model; Error{value} for missing or unknown tensors and
/// another number of layers; Error{shape}; Error{io, parse}.
std::unique_ptr<TextEncoder> load_text_encoder(const std::string& folder,
                                               FileAccess access = FileAccess::read);

}  // namespace gyre
