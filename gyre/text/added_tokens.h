#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "gyre/text/prefix_set.h"

namespace gyre {

/// A token matched in the raw text, before pre-tokenization.
struct AddedToken {
  std::string content;
  int32_t id = -1;
  bool special = false;      ///< a special token such as `<|endoftext|>`
  bool lstrip = false;       ///< also matches white space on the left
  bool rstrip = false;       ///< also matches white space on the right
  bool single_word = false;  ///< matches only where no word character is beside it
  bool normalized = false;   ///< matches the normalized text
};

/// The added tokens of a tokenizer. Of several that start at one position, the longest matches.
class AddedTokens {
 public:
  AddedTokens() = default;
  /// Error{value} for empty or duplicate content.
  explicit AddedTokens(std::vector<AddedToken> tokens);

  struct Match {
    size_t begin, end;  ///< byte range, with white space; begin == size: no match
    const AddedToken* token;
  };
  /// The first match in `text` from `from` on; special tokens only if `specials`.
  [[nodiscard]] Match find(std::string_view text, size_t from, bool specials) const;

  [[nodiscard]] const std::vector<AddedToken>& all() const { return tokens_; }
  /// Whether `id` is that of a special token.
  [[nodiscard]] bool is_special(int32_t id) const { return specials_.contains(id); }

 private:
  std::vector<AddedToken> tokens_;        // longest first
  std::unordered_set<int32_t> specials_;  // their ids
  PrefixSet all_, plain_;             // contents of all tokens, and of those that are not special
  std::vector<size_t> plain_places_;  // of the latter in `tokens_`
};

}  // namespace gyre
