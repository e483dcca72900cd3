#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gyre/text/tokenizer.h"

namespace gyre {

/// The tokenizer of a model's folder: `tokenizer.json`, else `vocab.json` with `merges.txt`
/// (byte-level BPE), else `vocab.txt` (WordPiece, in lower case if `tokenizer_config.json` says so
/// or nothing), else `tokenizer.model` or `spiece.model` (SentencePiece). Null if there is none of
/// them. Errors: those of load_tokenizer() and load_sentence_piece(); Error{unsupported} for a
/// folder with `tekken.json` alone.
[[nodiscard]] std::unique_ptr<Tokenizer> tokenizer_of_folder(const std::string& folder);

/// WordPiece of words between white space and punctuation.
struct WordPieces {
  std::vector<std::string> tokens{};  ///< pieces inside of a word begin with ##
  bool lower_case = true;
};
[[nodiscard]] std::unique_ptr<Tokenizer> tokenizer_of_word_pieces(const WordPieces& parts);

/// Byte-level BPE from its tokens and merges.
struct ByteMerges {
  std::vector<std::string> tokens{};         ///< in printable byte form
  std::vector<std::string> merges{};         ///< "left right" each, by rank
  std::vector<int32_t> specials{}, added{};  ///< ids of control tokens, and of others matched first
  int32_t begin = -1, end = -1;              ///< ids added at the ends of inputs; -1: none
  std::string splitter;                      ///< a name of known_patterns.h
  bool ignore_merges = false;
};
/// Error{value} for ids that are none, and an unknown splitter; those of tokenizer_from_json().
[[nodiscard]] std::unique_ptr<Tokenizer> tokenizer_of_merges(const ByteMerges& parts);

/// The tokenizer file of llama2.c: for each piece its score (f32), its length (i32), its bytes.
/// Errors: io; parse.
[[nodiscard]] std::unique_ptr<Tokenizer> load_llama2c_tokenizer(const std::string& path);

}  // namespace gyre
