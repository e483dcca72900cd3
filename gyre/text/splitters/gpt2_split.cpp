#include "gyre/text/splitters/gpt2_split.h"

#include <array>
#include <bit>
#include <cstring>

#include "gyre/base/text/utf8.h"
#include "gyre/text/unicode/unicode_classes.h"

namespace gyre {
namespace {

constexpr std::array<CharClass, 128> ascii_classes() {
  std::array<CharClass, 128> classes{};
  for (size_t c = 0; c < classes.size(); ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool space = c == ' ' || (c >= '\t' && c <= '\r');
    classes[c] = letter                 ? CharClass::letter
                 : c >= '0' && c <= '9' ? CharClass::number
                 : space                ? CharClass::space
                                        : CharClass::other;
  }
  return classes;
}
constexpr std::array<CharClass, 128> kAscii = ascii_classes();

struct Char {
  CharClass kind;
  size_t length;
};

inline Char char_at(std::string_view text, size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 128) return {kAscii[byte], 1};
  const Utf8Char c = decode_utf8(text, at);
  return {c.valid ? char_class(c.code) : CharClass::other, c.length};
}

/// The end of a contraction that starts with the apostrophe at `begin`, or `begin`.
size_t contraction_end(std::string_view text, size_t begin) {
  const std::string_view rest = text.substr(begin + 1, 2);
  if (rest.empty()) return begin;
  if (rest[0] == 's' || rest[0] == 'd' || rest[0] == 'm' || rest[0] == 't') return begin + 2;
  return rest == "ll" || rest == "ve" || rest == "re" ? begin + 3 : begin;
}

// Past the ASCII letters at `at`, eight at a time: the length of a word is hard to predict.
size_t skip_letters(std::string_view text, size_t at) {
  static_assert(std::endian::native == std::endian::little);
  constexpr uint64_t kOnes = 0x0101010101010101, kHigh = kOnes * 0x80;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t chars;
    std::memcpy(&chars, text.data() + at, sizeof chars);
    const uint64_t lower = (chars | kOnes * 0x20) & ~kHigh;
    const uint64_t from_a = lower + kOnes * (0x80 - 'a'), past_z = lower + kOnes * (0x7F - 'z');
    const uint64_t others = (~from_a | past_z | chars) & kHigh;
    if (others != 0) return at + static_cast<size_t>(std::countr_zero(others)) / 8;
  }
  return at;
}

size_t run_end(std::string_view text, size_t at, CharClass kind) {
  if (kind == CharClass::letter) at = skip_letters(text, at);
  while (at < text.size()) {
    const Char c = char_at(text, at);
    if (c.kind != kind) break;
    at += c.length;
  }
  return at;
}

/// `\s+(?!\S)|\s+`: of several spaces before a word, the last one belongs to the word.
size_t space_end(std::string_view text, size_t begin) {
  size_t last = begin, end = begin;
  while (end < text.size()) {
    const Char c = char_at(text, end);
    if (c.kind != CharClass::space) break;
    last = end;
    end += c.length;
  }
  return end == text.size() || last == begin ? end : last;
}

}  // namespace

size_t gpt2_piece_end(std::string_view text, size_t begin) {
  if (text[begin] == '\'') {
    if (const size_t end = contraction_end(text, begin); end > begin) return end;
  }
  Char first = char_at(text, begin);
  size_t at = begin;
  if (text[begin] == ' ' && begin + 1 < text.size()) first = char_at(text, ++at);
  if (first.kind == CharClass::space) return space_end(text, begin);
  return run_end(text, at + first.length, first.kind);
}

}  // namespace gyre
