#pragma once
#include <memory>
#include <string>

#include "gyre/models/gpt2/gpt.h"
#include "gyre/text/tokenizer.h"

// Folders as Hugging Face has them: config.json, model.safetensors, tokenizer.json. Layout of the
// tensors: names with or without "transformer.", weights of the four Conv1D layers [in, out].

namespace gyre {

/// The options that a config.json describes. Error{io, parse}; Error{unsupported} naming the field,
/// for another architecture, an unknown activation, quantisation and attention of other kinds.
GptOptions read_gpt2_config(const std::string& path);

/// Error{value} for the folder of a model that is no language model but one of `gyre predict` or an
/// embedding.
void require_gpt2(const std::string& folder);

/// The model of a folder, in the dtype of its token table. Rows of the tables and width come from
/// the tensors and are checked against config.json. The output layer is tied unless the file holds
/// one that differs. Error{io, parse, unsupported}; Error{value} for missing tensors or a wrong
/// checksum; Error{shape} naming the tensor.
Gpt load_gpt2(const std::string& folder);
/// The same into a model that exists, whose options must agree.
void load_gpt2_weights(const std::string& folder, Gpt& model);

/// Writes the model so that Hugging Face's GPT2LMHeadModel loads it; absent biases as zeros, and
/// `"bias": false` in config.json. The folder is made. Equal models give equal bytes. Error{io}.
void save_gpt2(const std::string& folder, Gpt& model, const Tokenizer* tokenizer);

}  // namespace gyre
