#include "gyre/text/tokenizer.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/utf8.h"
#include "gyre/io/json.h"

namespace gyre {

Tokenizer::Tokenizer(Vocabulary vocabulary, AddedTokens added)
    : vocabulary_(std::move(vocabulary)), added_(std::move(added)) {
  sort_added();
}

void Tokenizer::sort_added() {
  std::vector<AddedToken> raw, inner;
  std::unordered_set<std::string> known;
  for (AddedToken token : added_.all()) {
    if (!token.normalized) {
      raw.push_back(std::move(token));
      continue;
    }
    if (normalizer_) {
      token.content = normalizer_->apply(std::move(token.content));
      normalized_[token.id] = token.content;
    }
    if (!token.content.empty() && known.insert(token.content).second)
      inner.push_back(std::move(token));
  }
  raw_ = AddedTokens(std::move(raw));
  inner_ = AddedTokens(std::move(inner));
}

const std::string& Tokenizer::decoded_token(int32_t id) const {
  const auto found = normalized_.find(id);
  return found != normalized_.end() ? found->second : vocabulary_.token(id);
}

void Tokenizer::set_stages(Json normalizer, Json post_processor) {
  if (!normalizer.is_null()) {
    StageFields fields(normalizer, "normalizer");
    normalizer_ = read_normalizer(fields);
  }
  if (!post_processor.is_null()) {
    StageFields fields(post_processor, "post_processor");
    post_processor_ = read_post_processor(fields);
  }
  normalizer_json_ = std::move(normalizer);
  post_processor_json_ = std::move(post_processor);
  sort_added();
}

Tokenizer::~Tokenizer() = default;

namespace {

// Calls token(match) and text(part, begins) for the added tokens of a text and what lies between.
template <class Token, class Text>
void split_at_tokens(const AddedTokens& added, std::string_view text, bool specials, Token token,
                     Text between) {
  for (size_t at = 0; at < text.size();) {
    const AddedTokens::Match match = added.find(text, at, specials);
    if (match.begin > at) between(text.substr(at, match.begin - at), at == 0);
    if (match.token != nullptr) token(match.token->id);
    at = match.end;
  }
}

}  // namespace

std::vector<int32_t> Tokenizer::encode(std::string_view text, Specials specials) const {
  std::vector<int32_t> ids;
  ids.reserve(text.size() / 3 + 4);
  split_at_tokens(
      raw_, text, specials == Specials::as_tokens, [&](int32_t id) { ids.push_back(id); },
      [&](std::string_view part, bool first) {
        if (normalizer_) {
          encode_normalized(normalizer_->apply(std::string(part)), first, specials, ids);
        } else {
          encode_normalized(part, first, specials, ids);
        }
      });
  return ids;
}

void Tokenizer::encode_normalized(std::string_view text, bool first, Specials specials,
                                  std::vector<int32_t>& ids) const {
  split_at_tokens(
      inner_, text, specials == Specials::as_tokens, [&](int32_t id) { ids.push_back(id); },
      [&](std::string_view part, bool begins) { encode_text(part, first && begins, ids); });
}

std::vector<int32_t> Tokenizer::model_input(std::string_view text, int64_t most) const {
  std::vector<int32_t> ids = encode(text, Specials::as_tokens);
  if (most > 0) {
    const auto around = static_cast<int64_t>(post_processor_.apply({}).size());
    if (most < around) {
      throw Error(Code::value, "tokenizer",
                  {"the post-processor adds ", around, " tokens, more than the limit of ", most},
                  {">= ", around}, most);
    }
    ids.resize(std::min(ids.size(), static_cast<size_t>(most - around)));
  }
  return post_processor_.apply(std::move(ids));
}

std::vector<int32_t> Tokenizer::model_input(std::string_view text, std::string_view second) const {
  return post_processor_.apply(encode(text, Specials::as_tokens),
                               encode(second, Specials::as_tokens));
}

std::string Tokenizer::decode_tokens(std::span<const int32_t> ids) const {
  std::string text;
  for (const int32_t id : ids) text += token_bytes(id);
  return text;
}

std::string Tokenizer::decode(std::span<const int32_t> ids, const DecodeOptions& options) const {
  std::vector<int32_t> kept;
  for (const int32_t id : ids) {
    check(id);
    if (!options.skip_special || !is_special(id)) kept.push_back(id);
  }
  const std::string text = decode_tokens(kept);
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
  if (!tokenizer_.is_concatenative()) return push_by_window(id);
  const std::string_view bytes = tokenizer_.bytes(id);
  if (skip_special_ && tokenizer_.is_special(id)) return {};
  held_ += bytes;
  const size_t whole = held_.size() - incomplete_utf8_tail(held_);
  std::string text = utf8_lossy(std::string_view(held_).substr(0, whole));
  held_.erase(0, whole);
  return text;
}

// The tokens before the new ones are decoded again with them, since decoders look at the start of a
// text and at neighbours; a character that is not whole ends with U+FFFD.
std::string StreamDecoder::push_by_window(int32_t id) {
  if (skip_special_ && tokenizer_.has(id) && tokenizer_.is_special(id)) return {};
  window_.push_back(id);
  const std::string all = tokenizer_.decode(window_);
  const std::string given = tokenizer_.decode(std::span(window_).first(read_));
  if (all.size() <= given.size() || all.ends_with("\xEF\xBF\xBD")) return {};
  window_.erase(window_.begin(), window_.begin() + static_cast<ptrdiff_t>(read_));
  read_ = window_.size();
  return all.substr(given.size());
}

std::string StreamDecoder::flush() {
  if (tokenizer_.is_concatenative()) return utf8_lossy(std::exchange(held_, {}));
  const std::string all = tokenizer_.decode(window_);
  const std::string given = tokenizer_.decode(std::span(window_).first(read_));
  window_.clear();
  read_ = 0;
  return all.size() > given.size() ? all.substr(given.size()) : std::string();
}

}  // namespace gyre
