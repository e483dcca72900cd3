#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gyre/text/tokenizer.h"

namespace gyre {

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
  struct Added {
    std::string token;
    int64_t id;
    bool special = false;
  };
  std::vector<Added> added{};        ///< further tokens
  std::vector<int32_t> unmatched{};  ///< ids of pieces that texts are never split into
  /// How white space is handled besides, and what replaces characters (bytes; empty: nothing).
  bool extra_spaces_removed = false, space_as_suffix = false, escapes_spaces = true;
  std::string charsmap{};
};
/// Error{value} for sizes that do not fit together.
[[nodiscard]] std::unique_ptr<Tokenizer> tokenizer_of_pieces(const ScoredPieces& parts);

}  // namespace gyre
