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

/// The SentencePiece model of a folder: `tokenizer.model`, or `spiece.model` of T5 and others;
/// empty if there is none.
[[nodiscard]] std::string sentence_piece_file(const std::string& folder);

/// The tokenizer of a folder with such a model. Which tokens inputs begin and end with is said by
/// `add_bos_token` and `add_eos_token` of `tokenizer_config.json`; without them T5 has an end,
/// BigBird has both ([CLS] and [SEP]), other BPE has a beginning. The class is `tokenizer_class`,
/// else that of `model_type` of `config.json`. `added_tokens.json` adds tokens. Errors as above,
/// naming the file; Error{unsupported} for a class whose ids are others than those of the model, or
/// that changes texts before (Albert, XLNet, Siglip).
[[nodiscard]] std::unique_ptr<Tokenizer> load_sentence_piece(const std::string& folder);

}  // namespace gyre
