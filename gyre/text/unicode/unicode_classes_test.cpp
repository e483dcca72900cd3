#include "gyre/text/unicode/unicode_classes.h"

#include <gtest/gtest.h>

namespace gyre {
namespace {

struct Summary {
  uint32_t count = 0, hash = 0;
  uint64_t sum = 0;
};

Summary summary_of(CharClass kind) {
  Summary result;
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (char_class(code) != kind) continue;
    ++result.count;
    result.sum += code;
    result.hash = result.hash * 31 + code;
  }
  return result;
}

/// The character sets of Hugging Face's tokenizers 0.23, found by running its ByteLevel splitter on
/// every code point, as counts and checksums.
TEST(UnicodeClasses, AgreeWithHuggingFace) {
  const Summary letters = summary_of(CharClass::letter);
  EXPECT_EQ(letters.count, 141028u);
  EXPECT_EQ(letters.sum, 15240929258u);
  EXPECT_EQ(letters.hash, 2088411626u);
  const Summary numbers = summary_of(CharClass::number);
  EXPECT_EQ(numbers.count, 1911u);
  EXPECT_EQ(numbers.sum, 110651895u);
  EXPECT_EQ(numbers.hash, 3238422675u);
  const Summary spaces = summary_of(CharClass::space);
  EXPECT_EQ(spaces.count, 25u);
  EXPECT_EQ(spaces.sum, 141586u);
  EXPECT_EQ(spaces.hash, 3245078362u);
}

TEST(UnicodeClasses, PastTheLastCodePoint) {
  EXPECT_EQ(char_class(0x10FFFF), CharClass::other);
  EXPECT_EQ(char_class(0x110000), CharClass::other);
  EXPECT_EQ(char_class(0xFFFFFFFF), CharClass::other);
}

}  // namespace
}  // namespace gyre
