#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gyre/text/tokenizer.h"

namespace gyre {

/// The tokenizer of a model's folder: `tokenizer.json`, else `vocab.json` with `merges.txt`
/// (byte-level BPE), else `vocab.txt` (WordPiece, in lower case if `tokenizer_config.json` says so
/// or nothing), else `tokenizer.model` or `spiece.model` (SentencePiece). Null if there is none of
/// them. Errors: those of load_tokenizer() and load_sentence_piece(); Error{unsupported} for a
/// folder with `tekken.json` alone.
[[nodiscard]] std::unique_ptr<Tokenizer> tokenizer_of_folder(const std::string& folder);

/// Types of pieces, by their numbers in SentencePiece's files and in GGUF.
enum class PieceType : int64_t { normal = 1, unknown, control, user_defined, unused, byte };

/// Pieces with scores, as SentencePiece has them. With BPE, of two neighbours that make a piece,
/// those that make the one of the highest score are merged first; with `unigram`, the sum of the
/// scores of a text's pieces is the highest.
struct ScoredPieces {
  /// Appends a piece, and its id to the list of its type; the first unknown one is `unknown`
  /// unless that is set. Error{parse} for a type that is none.
  void add(std::string piece, double score, PieceType type);

  std::vector<std::string> pieces{};  ///< a space is U+2581; bytes are `<0x0A>`
  std::vector<double> scores{};
  std::vector<int32_t> specials{};   ///< ids of control tokens, which texts do not contain
  int32_t unknown = -1, begin = -1;  ///< ids; begin is added at the start of inputs, -1: none
  bool prefix_space = true;          ///< a space is put before a text
  int32_t end = -1;                  ///< added at the end of inputs; -1: none
  bool unigram = false, byte_fallback = true;
  std::vector<int32_t> atoms{};  ///< ids of pieces that are matched before others
  std::vector<std::pair<std::string, int64_t>> added{};  ///< further tokens with their ids
  std::vector<int32_t> unmatched{};  ///< ids of pieces that texts are never split into
  /// How white space is handled besides, and what replaces characters (bytes; empty: nothing).
  bool extra_spaces_removed = false, space_as_suffix = false, escapes_spaces = true;
  std::string charsmap{};
};
/// Error{value} for sizes that do not fit together.
[[nodiscard]] std::unique_ptr<Tokenizer> tokenizer_of_pieces(const ScoredPieces& parts);

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
  int32_t begin = -1;                        ///< id that is added at the start of inputs; -1: none
  std::string splitter;                      ///< a name of known_patterns.h
  bool ignore_merges = false;
};
/// Error{value} for ids that are none, and an unknown splitter; those of tokenizer_from_json().
[[nodiscard]] std::unique_ptr<Tokenizer> tokenizer_of_merges(const ByteMerges& parts);

/// The tokenizer file of llama2.c: for each piece its score (f32), its length (i32), its bytes.
/// Errors: io; parse.
[[nodiscard]] std::unique_ptr<Tokenizer> load_llama2c_tokenizer(const std::string& path);

}  // namespace gyre
