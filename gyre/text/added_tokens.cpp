#include "gyre/text/added_tokens.h"

#include <algorithm>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/text/utf8.h"
#include "gyre/text/unicode/unicode_classes.h"

namespace gyre {
namespace {

bool is_space_at(std::string_view text, size_t at, size_t* length) {
  const Utf8Char c = decode_utf8(text, at);
  *length = c.length;
  return c.valid && char_class(c.code) == CharClass::space;
}

/// The start of the white space that ends at `end`, not before `from`.
size_t spaces_before(std::string_view text, size_t from, size_t end) {
  for (;;) {
    size_t at = end;
    while (at > from && end - at < 4) {
      --at;
      if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80) break;
    }
    size_t length = 0;
    if (at == end || !is_space_at(text, at, &length) || at + length != end) return end;
    end = at;
  }
}

// Where the character before `end` begins.
size_t character_before(std::string_view text, size_t end) {
  size_t at = end - 1;
  while (at > 0 && end - at < 4 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

bool stands_alone(std::string_view text, size_t begin, size_t end) {
  const auto is_word = [&](size_t at) { return is_word_character(decode_utf8(text, at).code); };
  return (begin == 0 || !is_word(character_before(text, begin))) &&
         (end == text.size() || !is_word(end));
}

size_t spaces_after(std::string_view text, size_t begin) {
  size_t length = 0;
  while (begin < text.size() && is_space_at(text, begin, &length)) begin += length;
  return begin;
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  std::sort(tokens_.begin(), tokens_.end(), [](const AddedToken& a, const AddedToken& b) {
    return a.content.size() != b.content.size() ? a.content.size() > b.content.size()
                                                : a.content < b.content;
  });
  std::vector<std::string> all, plain;
  for (size_t i = 0; i < tokens_.size(); ++i) {
    const std::string& content = tokens_[i].content;
    if (content.empty())
      throw Error(Code::value, "tokenizer", "expected non-empty added tokens, got an empty one");
    if (i > 0 && tokens_[i - 1].content == content) {
      throw Error(Code::value, "tokenizer", "duplicate added token \"" + content + "\"");
    }
    all.push_back(content);
    if (tokens_[i].special) {
      specials_.insert(tokens_[i].id);
    } else {
      plain.push_back(content);
      plain_places_.push_back(i);
    }
  }
  all_ = PrefixSet(std::move(all));
  plain_ = PrefixSet(std::move(plain));
}

AddedTokens::Match AddedTokens::find(std::string_view text, size_t from, bool specials) const {
  const PrefixSet& contents = specials ? all_ : plain_;
  for (size_t at = contents.empty() ? text.size() : from; at < text.size(); ++at) {
    const int32_t found = contents.longest(text.substr(at));
    if (found < 0) continue;
    const auto place = static_cast<size_t>(found);
    const AddedToken& token = tokens_[specials ? place : plain_places_[place]];
    const size_t end = at + token.content.size();
    if (token.single_word && !stands_alone(text, at, end)) {
      at = end - 1;
      continue;
    }
    return {token.lstrip ? spaces_before(text, from, at) : at,
            token.rstrip ? spaces_after(text, end) : end, &token};
  }
  return {text.size(), text.size(), nullptr};
}

}  // namespace gyre
