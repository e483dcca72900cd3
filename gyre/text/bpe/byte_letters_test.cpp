#include "gyre/text/bpe/byte_letters.h"

#include <gtest/gtest.h>

#include <set>

namespace gyre {
namespace {

TEST(ByteLetters, KnownValues) {
  EXPECT_EQ(letters_of_bytes("Hello world\n"), "Hello\xC4\xA0world\xC4\x8A");
  EXPECT_EQ(letter_of_byte(0), char32_t{0x100});
  EXPECT_EQ(letter_of_byte(0x7F), char32_t{0x121});
  EXPECT_EQ(letter_of_byte(0xAD), char32_t{0x143});
  EXPECT_EQ(letter_of_byte(0xFF), char32_t{0xFF});
}

TEST(ByteLetters, EveryByteRoundTrips) {
  std::string all;
  std::set<char32_t> letters;
  for (int byte = 0; byte < 256; ++byte) {
    all += static_cast<char>(byte);
    letters.insert(letter_of_byte(static_cast<uint8_t>(byte)));
  }
  EXPECT_EQ(letters.size(), 256u);
  EXPECT_EQ(bytes_of_letters(letters_of_bytes(all)), all);
}

TEST(ByteLetters, OtherTextMapsToItself) {
  EXPECT_EQ(bytes_of_letters("\xE2\x96\x81the"), "\xE2\x96\x81the");
  EXPECT_EQ(bytes_of_letters("a b"), "a b");
  EXPECT_EQ(bytes_of_letters("a\xFF"), "a\xFF");
  EXPECT_EQ(bytes_of_letters("\xC5\x84"), "\xC5\x84");  // U+0144, one past the last letter
}

}  // namespace
}  // namespace gyre
