#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

/// Scanning by classes of characters: what the code of well-known patterns is made of. Functions
/// take a text and a position in it, in bytes, and give the position where they stop.
namespace gyre::scan {

/// Classes of characters, as bits.
enum Bit : uint8_t {
  kLetter = 1,    ///< \p{L}
  kMark = 2,      ///< \p{M}
  kNumber = 4,    ///< \p{N}
  kSpace = 8,     ///< \s
  kNewline = 16,  ///< [\r\n], which has kSpace as well
  kSign = 32,     ///< [\p{P}\p{S}]
  kUpper = 64,    ///< [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
  kLower = 128    ///< [\p{Ll}\p{Lm}\p{Lo}\p{M}]
};

/// A character's bits and its length in bytes. Ill-formed UTF-8 counts as U+FFFD, a symbol, once
/// per maximal part.
struct Char {
  uint8_t bits;
  size_t length;
};

constexpr std::array<uint8_t, 128> ascii_bits() {
  std::array<uint8_t, 128> all{};
  for (unsigned c = 0; c < 128; ++c) {
    const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z';
    const bool space = c == ' ' || (c >= '\t' && c <= '\r'), number = c >= '0' && c <= '9';
    const unsigned bits = upper                    ? kLetter | kUpper
                          : lower                  ? kLetter | kLower
                          : number                 ? kNumber
                          : c == '\r' || c == '\n' ? kSpace | kNewline
                          : space                  ? kSpace
                          : c > ' ' && c < 127     ? kSign
                                                   : 0;
    all[c] = static_cast<uint8_t>(bits);
  }
  return all;
}
inline constexpr std::array<uint8_t, 128> kAsciiBits = ascii_bits();

/// The character at `at`, whose first byte is not ASCII.
[[nodiscard]] Char wide_char_at(std::string_view text, size_t at);

/// The character at `at` < size.
[[nodiscard]] inline Char char_at(std::string_view text, size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  return byte < 128 ? Char{kAsciiBits[byte], 1} : wide_char_at(text, at);
}

/// The bits of the character at `at`, or 0 at the end of the text.
[[nodiscard]] inline uint8_t bits_at(std::string_view text, size_t at) {
  return at < text.size() ? char_at(text, at).bits : uint8_t{0};
}

/// Past ASCII letters, eight at a time: the length of a run is hard to predict. Near the end of the
/// text some may be left. With `fold` of 0x20 letters of both cases, with 0 lower case.
template <uint64_t fold>
[[nodiscard]] inline size_t skip_ascii_letters(std::string_view text, size_t at) {
  static_assert(std::endian::native == std::endian::little);
  constexpr uint64_t kOnes = 0x0101010101010101, kHigh = kOnes * 0x80;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t chars;
    std::memcpy(&chars, text.data() + at, sizeof chars);
    const uint64_t lower = (chars | kOnes * fold) & ~kHigh;
    const uint64_t from_a = lower + kOnes * (0x80 - 'a'), past_z = lower + kOnes * (0x7F - 'z');
    const uint64_t others = (~from_a | past_z | chars) & kHigh;
    if (others != 0) return at + static_cast<size_t>(std::countr_zero(others)) / 8;
  }
  return at;
}

/// The end of the run of characters with one of the bits `any`.
template <unsigned any>
[[nodiscard]] inline size_t run_with(std::string_view text, size_t at) {
  if constexpr ((any & kLetter) != 0) at = skip_ascii_letters<0x20>(text, at);
  if constexpr ((any & (kLetter | kLower)) == kLower) at = skip_ascii_letters<0>(text, at);
  while (at < text.size()) {
    const Char c = char_at(text, at);
    if ((c.bits & any) == 0) break;
    at += c.length;
  }
  return at;
}

/// The end of the run of characters with none of the bits `any`.
template <unsigned any>
[[nodiscard]] inline size_t run_without(std::string_view text, size_t at) {
  while (at < text.size()) {
    const Char c = char_at(text, at);
    if ((c.bits & any) != 0) break;
    at += c.length;
  }
  return at;
}

/// Past `\p{N}{1,most}`.
[[nodiscard]] size_t numbers_end(std::string_view text, size_t at, size_t most);

/// Past `\s+(?!\S)|\s+`, at a space: of several spaces before a word, the last one is left to it.
/// With `lines`, past `\s*[\r\n]+|\s+(?!\S)|\s+`: up to the last end of a line among the spaces.
template <bool lines>
[[nodiscard]] inline size_t spaces_end(std::string_view text, size_t at) {
  size_t last = at, line = at, end = at;
  while (end < text.size()) {
    const Char c = char_at(text, end);
    if ((c.bits & kSpace) == 0) break;
    last = end;
    end += c.length;
    if (lines && (c.bits & kNewline) != 0) line = end;
  }
  if (line > at) return line;
  return end == text.size() || last == at ? end : last;
}

/// Past `'(?:[sdmt]|ll|ve|re)`, or `at`. With `any_case`, `'(?i:[sdmt]|ll|ve|re)`, where U+017F is
/// an s as well.
[[nodiscard]] size_t contraction_end(std::string_view text, size_t at, bool any_case);

}  // namespace gyre::scan
