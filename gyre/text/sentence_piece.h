#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "gyre/text/scored_pieces.h"

namespace gyre {

/// The parts of a model of SentencePiece (Kudo and Richardson, 2018): the bytes of a
/// `tokenizer.model`. Error{parse} for a damaged one; Error{unsupported} for models of words or
/// characters, for unused pieces of BPE and for a map that is applied to decoded texts.
[[nodiscard]] ScoredPieces sentence_piece_parts(std::string_view bytes);

/// The SentencePiece model of a folder: `tokenizer.model`, or `spiece.model` of T5 and others;
/// empty if there is none.
[[nodiscard]] std::string sentence_piece_file(const std::string& folder);

/// The tokenizer of a folder with such a model. Its class is `tokenizer_class` of
/// `tokenizer_config.json`, else that of `model_type` of `config.json`; without both, ids are those
/// of the model. `add_bos_token` and `add_eos_token` of `tokenizer_config.json` say whether inputs
/// begin with the first token and end with the last; where they are missing, T5 adds its end,
/// BigBird adds [CLS] and [SEP], and BPE of other classes adds its beginning. T5 has `extra_ids`
/// tokens (100) after its pieces, `<extra_id_99>` to `<extra_id_0>`. `added_tokens.json` adds
/// others. Errors as above, naming the file; Error{unsupported}, naming field and value, for a
/// class that is not known to keep the ids of the model, or that changes texts before (Albert,
/// XLNet, Siglip).
[[nodiscard]] std::unique_ptr<Tokenizer> load_sentence_piece(const std::string& folder);

}  // namespace gyre
