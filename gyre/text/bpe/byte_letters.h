#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gyre {

/// GPT-2's printable letter for each byte, as byte-level tokenizers write it in `tokenizer.json`:
/// printable Latin-1 stands for itself, the other 68 bytes for U+0100 on (a space is U+0120).
[[nodiscard]] char32_t letter_of_byte(uint8_t byte);

/// The letters of all bytes, in UTF-8.
[[nodiscard]] std::string letters_of_bytes(std::string_view bytes);

/// The bytes that letters stand for. A text with any other character is taken for its own bytes, as
/// names of special tokens are.
[[nodiscard]] std::string bytes_of_letters(std::string_view letters);

}  // namespace gyre
