#include "gyre/text/stages/sentence_piece_normalizer.h"

#include <utility>
#include <vector>

#include "gyre/base/text/utf8.h"
#include "gyre/text/space_mark.h"

namespace gyre {

SentencePieceNormalizer::SentencePieceNormalizer(StageFields& f)
    : dummy_prefix_(f.flag("add_dummy_prefix", true)),
      removes_spaces_(f.flag("remove_extra_whitespaces", true)),
      as_suffix_(f.flag("treat_whitespace_as_suffix", false)),
      space_(f.flag("escape_whitespaces", true) ? kSpaceMark : std::string_view(" ")) {
  if (const std::string map = f.text("precompiled_charsmap", ""); !map.empty())
    map_.emplace(map, f.part() + ".precompiled_charsmap");
  if (!f.has("user_defined")) return;
  std::vector<std::string> symbols;
  for (const Json& symbol : f.at("user_defined").as_array(f.part() + ".user_defined"))
    symbols.push_back(symbol.as_string(f.part() + ".user_defined"));
  symbols_ = PrefixSet(std::move(symbols));
}

SentencePieceNormalizer::Prefix SentencePieceNormalizer::prefix_of(std::string_view text) const {
  size_t length = 0;
  symbols_.for_each(text, [&](int32_t, size_t symbol) { length = symbol; });
  if (length > 0) return {text.substr(0, length), length};
  std::string_view found;
  length = map_ ? map_->longest_prefix(text, &found) : 0;
  if (length > 0) return {found, length};
  const Utf8Char c = decode_utf8(text, 0);
  return c.valid ? Prefix{text.substr(0, c.length), c.length} : Prefix{"\xEF\xBF\xBD", 1};
}

std::string SentencePieceNormalizer::apply(std::string_view text) const {
  std::string out;
  while (removes_spaces_ && !text.empty()) {
    const Prefix first = prefix_of(text);
    if (first.text != " ") break;
    text.remove_prefix(first.length);
  }
  if (text.empty()) return out;
  if (dummy_prefix_ && !as_suffix_) out += space_;
  bool after_space = removes_spaces_;
  while (!text.empty()) {
    auto [part, length] = prefix_of(text);
    text.remove_prefix(length);
    while (after_space && part.starts_with(' ')) part.remove_prefix(1);
    if (part.empty()) continue;
    after_space = removes_spaces_ && part.ends_with(' ');
    for (const char c : part) {
      if (c == ' ')
        out += space_;
      else
        out += c;
    }
  }
  while (removes_spaces_ && out.ends_with(space_)) out.resize(out.size() - space_.size());
  if (dummy_prefix_ && as_suffix_) out += space_;
  return out;
}

}  // namespace gyre
