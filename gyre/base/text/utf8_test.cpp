#include "gyre/base/text/utf8.h"
#include "tests/fewer.h"

#include <gtest/gtest.h>

namespace gyre {
namespace {

const std::string kMark = "\xEF\xBF\xBD";

TEST(Utf8, EveryCodePointRoundTrips) {
  for (char32_t code = 0; code < 0x110000; code += kSanitized ? 7 : 1) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string text;
    append_utf8(text, code);
    const Utf8Char back = decode_utf8(text, 0);
    ASSERT_TRUE(back.valid);
    ASSERT_EQ(back.code, code);
    ASSERT_EQ(back.length, text.size());
    ASSERT_EQ(incomplete_utf8_tail(text), 0u);
    for (size_t cut = 1; cut < text.size(); ++cut) {
      ASSERT_EQ(incomplete_utf8_tail("a" + text.substr(0, cut)), cut);
      ASSERT_EQ(utf8_lossy("a" + text.substr(0, cut) + "b"), "a" + kMark + "b");
    }
  }
}

TEST(Utf8, InvalidCodePointsAreReplaced) {
  for (const char32_t code : {char32_t{0xD800}, char32_t{0xDFFF}, char32_t{0x110000}}) {
    std::string text;
    append_utf8(text, code);
    EXPECT_EQ(text, kMark);
  }
}

/// Unicode 16, table 3-8 and its neighbours.
TEST(Utf8, MaximalSubparts) {
  EXPECT_EQ(utf8_lossy("a\xF1\x80\x80\xE1\x80\xC2"
                       "b\x80"
                       "c\x80\xBF"
                       "d"),
            "a" + kMark + kMark + kMark + "b" + kMark + "c" + kMark + kMark + "d");
  EXPECT_EQ(utf8_lossy("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82"
                       "A"),
            kMark + kMark + kMark + kMark + kMark + kMark + kMark + kMark + "A");
  EXPECT_EQ(utf8_lossy("\xED\xA0\x80"), kMark + kMark + kMark);
  EXPECT_EQ(utf8_lossy("\xF4\x90\x80\x80"), kMark + kMark + kMark + kMark);
  EXPECT_EQ(utf8_lossy("\xFF\xC3\xA9"), kMark + "\xC3\xA9");
}

TEST(Utf8, Validity) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"));
  for (const char* bad : {"\x80", "\xC3", "\xC1\x81", "\xED\xA0\x80", "\xF5\x80\x80\x80"}) {
    EXPECT_FALSE(is_utf8(bad)) << bad;
  }
}

TEST(Utf8, TailsThatCannotBeCompleted) {
  EXPECT_EQ(incomplete_utf8_tail(""), 0u);
  EXPECT_EQ(incomplete_utf8_tail("\x80\x80\x80\x80"), 0u);
  EXPECT_EQ(incomplete_utf8_tail("\xE0\x80"), 0u);
  EXPECT_EQ(incomplete_utf8_tail("\xFF"), 0u);
  EXPECT_EQ(incomplete_utf8_tail("\xC3\xA9\x80"), 0u);
}

}  // namespace
}  // namespace gyre
