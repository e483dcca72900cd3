#include "gyre/text/unicode/scripts.h"

#include <gtest/gtest.h>

namespace gyre {
namespace {

/// The script by which Hugging Face's UnicodeScripts splits: Hiragana, Katakana and U+30FC are Han,
/// and neither unknown ones nor a space ever split.
Script splitting_script(char32_t c) {
  const Script script = script_of(c);
  if (c == ' ') return Script::unknown;
  const bool han = c == 0x30FC || script == Script::hiragana || script == Script::katakana;
  return han ? Script::han : script;
}

// A checksum of the numbers of pieces that tokenizers 0.23 makes of every code point after each of
// seven characters.
TEST(Scripts, AgreeWithHuggingFace) {
  constexpr Script kBefore[] = {Script::latin,     Script::han,    Script::greek,   Script::common,
                                Script::inherited, Script::arabic, Script::cyrillic};
  uint32_t hash = 0;
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    const Script script = splitting_script(code);
    for (const Script before : kBefore) {
      hash = hash * 31 + (script != Script::unknown && script != before ? 2 : 1);
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
