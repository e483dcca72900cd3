#include "gyre/text/bpe/byte_letters.h"

#include <array>

#include "gyre/base/text/utf8.h"

namespace gyre {
namespace {

constexpr bool shows_itself(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

constexpr int kFirstOther = 0x100, kOthers = 68;

struct Letters {
  std::array<uint16_t, 256> letter{};
  std::array<int16_t, kFirstOther + kOthers> byte{};

  constexpr Letters() {
    byte.fill(-1);
    int next = kFirstOther;
    for (int b = 0; b < 256; ++b) {
      const int code = shows_itself(b) ? b : next++;
      letter[static_cast<size_t>(b)] = static_cast<uint16_t>(code);
      byte[static_cast<size_t>(code)] = static_cast<int16_t>(b);
    }
  }
};
constexpr Letters kLetters;

}  // namespace

char32_t letter_of_byte(uint8_t byte) { return kLetters.letter[byte]; }

std::string letters_of_bytes(std::string_view bytes) {
  std::string out;
  for (const char byte : bytes) append_utf8(out, letter_of_byte(static_cast<uint8_t>(byte)));
  return out;
}

std::string bytes_of_letters(std::string_view letters) {
  std::string out;
  for (size_t i = 0; i < letters.size();) {
    const Utf8Char c = decode_utf8(letters, i);
    if (!c.valid || c.code >= kLetters.byte.size() || kLetters.byte[c.code] < 0) {
      return std::string(letters);
    }
    out += static_cast<char>(kLetters.byte[c.code]);
    i += c.length;
  }
  return out;
}

}  // namespace gyre
