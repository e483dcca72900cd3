#include "gyre/text/char_tokenizer.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/text/utf8.h"
#include "gyre/text/tokenizer_format.h"

namespace gyre {
namespace {

/// Code points lie below this.
constexpr size_t kCodePoints = 0x110000;

[[noreturn]] void refuse(const Message& message) { throw Error(Code::value, "tokenizer", message); }

Utf8Char checked_char(std::string_view text, size_t at) {
  const Utf8Char c = decode_utf8(text, at);
  if (!c.valid) {
    refuse({"expected UTF-8 text, got an invalid sequence at byte ", at,
            "; use a byte-level tokenizer for arbitrary bytes"});
  }
  return c;
}

}  // namespace

CharTokenizer::CharTokenizer(std::vector<std::string> tokens, std::vector<AddedToken> added)
    : Tokenizer(Vocabulary(std::move(tokens)), AddedTokens(std::move(added))) {
  const std::vector<AddedToken>& marks = added_tokens().all();
  for (int32_t id = 0; id < vocab_size(); ++id) {
    const std::string& token = vocabulary().token(id);
    if (token.empty()) continue;
    const Utf8Char c = decode_utf8(token, 0);
    const bool is_char = c.valid && c.length == token.size();
    const bool is_added = std::any_of(
        marks.begin(), marks.end(), [&](const AddedToken& mark) { return mark.content == token; });
    if (!is_char && !is_added)
      refuse("token \"" + token + "\" is neither one character nor an added token");
  }
  for (size_t c = 0; c < ascii_ids_.size(); ++c) {
    ascii_ids_[c] = id(std::string(1, static_cast<char>(c)));
  }
}

std::unique_ptr<CharTokenizer> CharTokenizer::train(std::string_view text) {
  if (text.empty()) refuse("expected a text to train on, got an empty one");
  std::vector<bool> seen(kCodePoints);
  for (size_t at = 0; at < text.size();) {
    const Utf8Char c = checked_char(text, at);
    seen[c.code] = true;
    at += c.length;
  }
  std::vector<std::string> tokens;
  for (size_t code = 0; code < kCodePoints; ++code) {
    if (seen[code]) append_utf8(tokens.emplace_back(), static_cast<char32_t>(code));
  }
  return std::make_unique<CharTokenizer>(std::move(tokens));
}

void CharTokenizer::encode_text(std::string_view text, bool /*first*/,
                                std::vector<int32_t>& ids) const {
  for (size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const size_t length = byte < 128 ? 1 : checked_char(text, at).length;
    const int32_t found = byte < 128 ? ascii_ids_[byte] : id(text.substr(at, length));
    if (found < 0) {
      char code[16];
      std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned>(decode_utf8(text, at).code));
      throw Error(
          Code::value, "encode",
          {"character ", code, " is not among the ", vocab_size(), " tokens of the vocabulary"});
    }
    ids.push_back(found);
    at += length;
  }
}

Json CharTokenizer::to_json() const {
  Json decoder;
  decoder["type"] = "Fuse";
  return tokenizer_json(*this, nullptr, std::move(decoder), bpe_model_json(vocabulary()));
}

}  // namespace gyre
