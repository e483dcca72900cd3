#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "gyre/text/tokenizer_files.h"

namespace gyre {

/// The parts of a model of SentencePiece (Kudo and Richardson, 2018): the bytes of a
/// `tokenizer.model`. Error{parse} for a damaged one; Error{unsupported} for models of words or
/// characters, for unused pieces of BPE and for a map that is applied to decoded texts.
[[nodiscard]] ScoredPieces sentence_piece_parts(std::string_view bytes);

/// The tokenizer of a folder with a `tokenizer.model`. Which tokens inputs begin and end with is
/// said by `add_bos_token` and `add_eos_token` of `tokenizer_config.json`; without them a model of
/// T5 has an end, BPE has a beginning. `added_tokens.json` adds tokens. Errors as above, naming the
/// file; Error{unsupported} for a `tokenizer_class` whose ids are others than those of the model.
[[nodiscard]] std::unique_ptr<Tokenizer> load_sentence_piece(const std::string& folder);

}  // namespace gyre
