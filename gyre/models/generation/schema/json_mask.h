#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gyre/models/generation/schema/json_text.h"

namespace gyre {

class Tokenizer;

/// The tokens of a vocabulary by their bytes, special tokens left out.
class TokenBytes {
 public:
  /// `tokenizer` must outlive this.
  explicit TokenBytes(const Tokenizer& tokenizer);

  /// Sets `allowed` for each token that some text of `texts` can be continued with so that it can
  /// still end within `room` bytes.
  void allow(const JsonText& text, int64_t room, std::vector<bool>& allowed) const;
  [[nodiscard]] std::string_view bytes(int32_t id) const;
  [[nodiscard]] size_t vocab_size() const;

 private:
  struct Entry {
    std::string_view bytes;
    int32_t id;
  };
  void allow(std::span<const Entry> entries, size_t depth, const JsonText& text, int64_t room,
             std::vector<bool>& allowed) const;

  const Tokenizer& tokenizer_;
  std::vector<Entry> all_, restricted_;  // sorted by bytes; with quotes, backslashes or controls
  std::vector<int32_t> free_;            // whole characters without these
};

/// Leaves the tokens that keep a text valid JSON of a schema.
class JsonMask {
 public:
  /// `tokens` and `schema` must outlive this.
  JsonMask(const TokenBytes& tokens, const JsonSchema& schema) : tokens_(&tokens), text_(schema) {}

  /// Sets the logits of all other tokens to -infinity. The text can still be completed by `left`
  /// tokens with this one, if there are as many for its shortest end and each byte of that has a
  /// token; `ends` are allowed when it is complete. False if it is complete and cannot go on in
  /// `left` tokens; Error{value} if it is not and no token is left.
  bool apply(std::span<float> logits, int64_t left, std::span<const int32_t> ends) const;
  /// Adds a token that apply() left. False if the text is complete and cannot go on.
  bool push(int32_t id);
  /// Error{value}, naming max_tokens or else a stop string, unless the text is complete.
  void require_complete(bool by_length) const;

 private:
  const TokenBytes* tokens_;
  JsonText text_;
};

}  // namespace gyre
