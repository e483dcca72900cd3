#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gyre {

inline constexpr char32_t kReplacement = 0xFFFD;

/// A code point and its length in bytes. For bytes that are not UTF-8 (RFC 3629), `code` is U+FFFD,
/// `valid` is false, and `length` is that of the maximal subpart (at least one byte), which
/// decoders replace as a unit (Unicode 16, section 3.9).
struct Utf8Char {
  char32_t code;
  uint8_t length;
  bool valid;
};

/// Decodes the character at `text[at]`; `at` < size.
[[nodiscard]] Utf8Char decode_utf8(std::string_view text, size_t at);

/// Appends the one to four bytes of a code point; surrogates and values past U+10FFFF give U+FFFD.
void append_utf8(std::string& out, char32_t code);

[[nodiscard]] bool is_utf8(std::string_view text);

/// The text with U+FFFD for every ill-formed part.
[[nodiscard]] std::string utf8_lossy(std::string_view text);

/// Number of bytes at the end (0 to 3) that start an incomplete character.
[[nodiscard]] size_t incomplete_utf8_tail(std::string_view text);

}  // namespace gyre
