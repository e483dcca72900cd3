#include "gyre/text/unicode/scripts.h"

#include <gtest/gtest.h>

namespace gyre {
namespace {

/// How many pieces Hugging Face's UnicodeScripts makes of two characters: its scripts have
/// Hiragana, Katakana and U+30FC as Han, and neither unknown ones nor a space ever split.
uint32_t pieces_of(char32_t first, char32_t second) {
  const auto fixed = [](char32_t c) {
    const Script script = script_of(c);
    if (c == ' ') return Script::unknown;
    const bool han = c == 0x30FC || script == Script::hiragana || script == Script::katakana;
    return han ? Script::han : script;
  };
  const Script a = fixed(first), b = fixed(second);
  return a != Script::unknown && b != Script::unknown && a != b ? 2 : 1;
}

// A checksum of what tokenizers 0.23 give for every code point after each of seven characters.
TEST(Scripts, AgreeWithHuggingFace) {
  uint32_t hash = 0;
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    for (const char32_t before :
         {U'z', U'\u4E00', U'\u03A9', U'!', U'\u0301', U'\u0627', U'\u0430'}) {
      hash = hash * 31 + pieces_of(before, code);
    }
  }
  EXPECT_EQ(hash, 3396603759u);
}

TEST(Scripts, OfCharacters) {
  EXPECT_EQ(script_of('a'), Script::latin);
  EXPECT_EQ(script_of('1'), Script::common);
  EXPECT_EQ(script_of(0x301), Script::inherited);
  EXPECT_EQ(script_of(0x4E00), Script::han);
  EXPECT_EQ(script_of(0x16B7), Script::runic);
  EXPECT_EQ(script_of(0x953), Script::devanagari);
  EXPECT_EQ(script_of(0x378), Script::unknown);
  EXPECT_EQ(script_of(0x1C89), Script::unknown);  // since Unicode 16
  EXPECT_EQ(script_of(0x110000), Script::unknown);
}

}  // namespace
}  // namespace gyre
