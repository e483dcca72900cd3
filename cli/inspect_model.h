#pragma once
#include <optional>
#include <string>

#include "cli/output.h"
#include "gyre/io/json.h"

namespace gyre {

/// What `gyre inspect` shows of the model in a folder or file, besides its tensors.

/// The sizes of a language model in a folder with a config.json, a .gguf file or a .bin file of
/// llama2.c, or {"refused"} with the reason; nothing for other folders and files. `contents` is
/// what is shown of the folder or file itself.
std::optional<Json> language_model_json(const std::string& path, const Json& contents);
void show_language_model(Output& out, const Json& model);

/// The sizes of a text encoder and how a folder of sentence-transformers makes vectors, or
/// {"refused"}; nothing for other folders.
std::optional<Json> encoder_json(const std::string& path);
void show_encoder(Output& out, const Json& encoder);

}  // namespace gyre
