#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// A token that is looked for in the text as it stands, before the model splits it.
struct AddedToken {
  std::string content;
  int32_t id = -1;
  bool special = false;  ///< a mark such as `<|endoftext|>`, not text
  bool lstrip = false;   ///< takes the white space before it too
  bool rstrip = false;   ///< takes the white space after it too
};

/// The added tokens of one tokenizer. Of several that begin at one place, the longest counts.
class AddedTokens {
 public:
  AddedTokens() = default;
  /// Errors: value, for an empty content or one that comes twice.
  explicit AddedTokens(std::vector<AddedToken> tokens);

  struct Match {
    size_t begin, end;  ///< of the bytes taken, white space included; begin == size: none
    const AddedToken* token;
  };
  /// The first match in `text` from `from` on; special tokens only when `specials`.
  [[nodiscard]] Match find(std::string_view text, size_t from, bool specials) const;

  [[nodiscard]] const std::vector<AddedToken>& all() const { return tokens_; }
  /// Whether `id` is that of a special token.
  [[nodiscard]] bool is_special(int32_t id) const;

 private:
  std::vector<AddedToken> tokens_;     // longest first
  std::array<bool, 256> can_begin_{};  // bytes that some content begins with
};

}  // namespace gyre
