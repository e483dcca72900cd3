#pragma once

#include "gyre/io/json.h"
#include "gyre/text/added_tokens.h"
#include "gyre/text/vocabulary.h"

/// How every kind of tokenizer is written to `tokenizer.json`.
namespace gyre {

/// The whole file around its parts.
[[nodiscard]] Json tokenizer_json(const AddedTokens& added, Json pre_tokenizer, Json decoder,
                                  Json model);

/// A model of type BPE with this vocabulary and no merges yet.
[[nodiscard]] Json bpe_model_json(const Vocabulary& vocabulary);

}  // namespace gyre
