#pragma once
#include <string>

#include "gyre/models/decoder/decoder.h"

// Model folders in Hugging Face's format: config.json, model.safetensors, tokenizer.json. Tensor
// names with or without "transformer."; the four Conv1D layers store weights [in, out]. Folders
// are written for GPT2LMHeadModel: absent biases are zeros, with `"bias": false` in config.json.

namespace gyre {

/// Loads the model of a folder, in the dtype of its token embedding. With FileAccess::map the
/// weights stay in the mapped file (see Module::lend_state), the four stored [in, out] as
/// transposed views. Vocabulary and context length are those of the tensors, whose width is
/// checked against config.json. The output layer is tied unless the file holds one that differs.
/// Error{io, parse, unsupported}; Error{value} for missing tensors or a checksum mismatch;
/// Error{shape} naming the tensor.
Decoder load_gpt2(const std::string& folder, FileAccess access = FileAccess::read);

}  // namespace gyre
