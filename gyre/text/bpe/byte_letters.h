#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gyre {

/// GPT-2's bytes_to_unicode: the printable character of each byte in `tokenizer.json`. Printable
/// Latin-1 maps to itself, the other 68 bytes to U+0100 and up (a space is U+0120).
[[nodiscard]] char32_t letter_of_byte(uint8_t byte);

/// The printable form of bytes, in UTF-8.
[[nodiscard]] std::string letters_of_bytes(std::string_view bytes);

/// The inverse of letters_of_bytes(). A text with any other character is returned as its own bytes,
/// as in names of special tokens.
[[nodiscard]] std::string bytes_of_letters(std::string_view letters);

}  // namespace gyre
