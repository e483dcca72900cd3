#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/text/tokenizer.h"

namespace gyre {

/// Character-level tokenizer: one token per code point. Saved as BPE without merges for
/// interchange.
class CharTokenizer final : public Tokenizer {
 public:
  /// `tokens[id]` is one character in UTF-8, an added token, or empty for an unused id.
  /// Error{value} for anything else and for duplicates.
  explicit CharTokenizer(std::vector<std::string> tokens, std::vector<AddedToken> added = {});

  /// The characters of a text, sorted by code point. Error{value} if the text is empty or not
  /// UTF-8.
  [[nodiscard]] static std::unique_ptr<CharTokenizer> train(std::string_view text);

  [[nodiscard]] Json to_json() const override;

 protected:
  /// Error{value} for a character that is not in the vocabulary.
  void encode_text(std::string_view text, bool first, std::vector<int32_t>& ids) const override;
  std::string_view token_bytes(int32_t id) const override { return vocabulary().token(id); }

 private:
  std::array<int32_t, 128> ascii_ids_;
};

}  // namespace gyre
