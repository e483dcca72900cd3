#pragma once
#include <string>

#include "gyre/models/gpt2/gpt.h"
#include "gyre/text/tokenizer.h"

// Model folders in Hugging Face's format: config.json, model.safetensors, tokenizer.json. Tensor
// names with or without "transformer."; the four Conv1D layers store weights [in, out].

namespace gyre {

/// The options in a config.json. Error{io, parse}; Error{unsupported} naming the field, for another
/// architecture, an unknown activation, quantisation or other kinds of attention.
GptOptions read_gpt2_config(const std::string& path);

/// Error{value} for a folder that holds a model of `gyre predict` or an embedding instead of a
/// language model.
void require_gpt2(const std::string& folder);

/// Loads the model of a folder, in the dtype of its token embedding. The weights stay in the mapped
/// file, the four stored [in, out] as transposed views (see Module::lend_state). Vocabulary,
/// context length and width come from the tensors and are checked against config.json. The output
/// layer is tied unless the file holds one that differs. Error{io, parse, unsupported};
/// Error{value} for missing tensors or a checksum mismatch; Error{shape} naming the tensor.
Gpt load_gpt2(const std::string& folder);
/// The model with weights that are views of other strides copied: single rows of activations, as in
/// text generation, are multiplied faster by them.
Gpt with_contiguous_weights(Gpt model);
/// Loads into an existing model, whose options must agree.
void load_gpt2_weights(const std::string& folder, Gpt& model);

/// Writes the model for Hugging Face's GPT2LMHeadModel; absent biases are written as zeros, with
/// `"bias": false` in config.json. Creates the folder. Equal models give equal bytes. Error{io}.
void save_gpt2(const std::string& folder, Gpt& model, const Tokenizer* tokenizer);

}  // namespace gyre
