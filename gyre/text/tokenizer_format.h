#pragma once

#include "gyre/io/json.h"
#include "gyre/text/tokenizer.h"
#include "gyre/text/vocabulary.h"

/// Writing of `tokenizer.json`, shared by all kinds of tokenizers.
namespace gyre {

/// The complete file from its parts.
[[nodiscard]] Json tokenizer_json(const Tokenizer& tokenizer, Json pre_tokenizer, Json decoder,
                                  Json model);

/// A BPE model with this vocabulary and without merges.
[[nodiscard]] Json bpe_model_json(const Vocabulary& vocabulary);

}  // namespace gyre
