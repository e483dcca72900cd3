#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gyre {

inline constexpr char32_t kReplacement = 0xFFFD;

/// A code point and the bytes it takes. Where the bytes are not UTF-8 (RFC 3629), `code` is U+FFFD,
/// `valid` false, and `length` counts the longest part that could have begun a character (at least
/// one byte): the rule by which decoders replace (Unicode 16, section 3.9, "maximal subparts").
struct Utf8Char {
  char32_t code;
  uint8_t length;
  bool valid;
};

/// The character that begins at `text[at]`; `at` < size.
[[nodiscard]] Utf8Char decode_utf8(std::string_view text, size_t at);

/// Appends the one to four bytes of a code point; surrogates and values past U+10FFFF give U+FFFD.
void append_utf8(std::string& out, char32_t code);

[[nodiscard]] bool is_utf8(std::string_view text);

/// The text with U+FFFD for every part that is not UTF-8.
[[nodiscard]] std::string utf8_lossy(std::string_view text);

/// How many bytes at the end (0 to 3) begin a character that more bytes could complete.
[[nodiscard]] size_t incomplete_utf8_tail(std::string_view text);

}  // namespace gyre
