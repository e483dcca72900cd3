#include "gyre/text/tokenizer.h"

#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/utf8.h"
#include "gyre/io/json.h"

namespace gyre {

Tokenizer::Tokenizer(Vocabulary vocabulary, AddedTokens added)
    : vocabulary_(std::move(vocabulary)), added_(std::move(added)) {}

Tokenizer::~Tokenizer() = default;

std::vector<int32_t> Tokenizer::encode(std::string_view text, Specials specials) const {
  std::vector<int32_t> ids;
  ids.reserve(text.size() / 3 + 4);
  for (size_t at = 0; at < text.size();) {
    const AddedTokens::Match match = added_.find(text, at, specials == Specials::as_tokens);
    if (match.begin > at) encode_text(text.substr(at, match.begin - at), ids);
    if (match.token != nullptr) ids.push_back(match.token->id);
    at = match.end;
  }
  return ids;
}

std::string Tokenizer::decode(std::span<const int32_t> ids, const DecodeOptions& options) const {
  std::string text;
  for (const int32_t id : ids) {
    check(id);
    if (!options.skip_special || !is_special(id)) text += token_bytes(id);
  }
  return options.lossy ? utf8_lossy(text) : text;
}

void Tokenizer::check(int32_t id) const {
  if (has(id)) return;
  throw Error(Code::index, "tokenizer",
              {id, " is not a token id of this vocabulary of size ", vocab_size()},
              {"0..", vocab_size() - 1}, id);
}

const std::string& Tokenizer::token(int32_t id) const {
  check(id);
  return vocabulary_.token(id);
}

std::string_view Tokenizer::bytes(int32_t id) const {
  check(id);
  return token_bytes(id);
}

void Tokenizer::save(const std::string& path) const {
  write_file_atomic(path, to_json().dump(2) + "\n");
}

std::string StreamDecoder::push(int32_t id) {
  const std::string_view bytes = tokenizer_.bytes(id);
  if (skip_special_ && tokenizer_.is_special(id)) return {};
  held_ += bytes;
  const size_t whole = held_.size() - incomplete_utf8_tail(held_);
  std::string text = utf8_lossy(std::string_view(held_).substr(0, whole));
  held_.erase(0, whole);
  return text;
}

std::string StreamDecoder::flush() { return utf8_lossy(std::exchange(held_, {})); }

}  // namespace gyre
