#include "gyre/text/splitters/char_bits.h"

#include "gyre/base/text/utf8.h"
#include "gyre/text/unicode/unicode_classes.h"

namespace gyre::scan {
namespace {

constexpr std::array<uint8_t, 30> category_bits() {
  std::array<uint8_t, 30> all{};
  for (unsigned i = 0; i < all.size(); ++i) {
    const auto c = static_cast<Category>(i);
    const bool both = c == Category::Lm || c == Category::Lo || is_mark(c);
    unsigned bits = 0;
    if (is_letter(c)) bits |= kLetter;
    if (is_mark(c)) bits |= kMark;
    if (is_number(c)) bits |= kNumber;
    if (is_separator(c)) bits |= kSpace;
    if (is_punctuation(c) || is_symbol(c)) bits |= kSign;
    if (c == Category::Lu || c == Category::Lt || both) bits |= kUpper;
    if (c == Category::Ll || both) bits |= kLower;
    all[i] = static_cast<uint8_t>(bits);
  }
  return all;
}
constexpr std::array<uint8_t, 30> kCategoryBits = category_bits();

}  // namespace

Char wide_char_at(std::string_view text, size_t at) {
  const Utf8Char c = decode_utf8(text, at);
  if (c.code == 0x85) return {kSpace, c.length};
  return {kCategoryBits[static_cast<size_t>(category(c.code))], c.length};
}

size_t numbers_end(std::string_view text, size_t at, size_t most) {
  for (size_t i = 0; i < most && at < text.size(); ++i) {
    const Char c = char_at(text, at);
    if ((c.bits & kNumber) == 0) break;
    at += c.length;
  }
  return at;
}

size_t contraction_end(std::string_view text, size_t at, bool any_case) {
  if (at >= text.size() || text[at] != '\'') return at;
  const auto letter = [&](size_t i) -> char {
    if (at + i >= text.size()) return 0;
    const char c = text[at + i];
    return any_case && c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  };
  const char first = letter(1), second = letter(2);
  if (first == 's' || first == 'd' || first == 'm' || first == 't') return at + 2;
  if (first == 'l' && second == 'l') return at + 3;
  if ((first == 'v' || first == 'r') && second == 'e') return at + 3;
  return any_case && text.substr(at + 1, 2) == "\xC5\xBF" ? at + 3 : at;
}

}  // namespace gyre::scan
