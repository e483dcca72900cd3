#include "gyre/base/text/printable.h"

#include <gtest/gtest.h>

#include <random>

#include "gyre/base/text/utf8.h"

namespace gyre {
namespace {

using namespace std::string_literals;

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("\x1b]0;title\x07\x1b[2J"), "\\x1b]0;title\\x07\\x1b[2J");
  EXPECT_EQ(printable("a\nb\tc\rd\0e\x7f"s), "a\\nb\\tc\\rd\\x00e\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m \xe2\x80\xae \xe2\x80\xa8"),
            "\\x9b31m \\u202e \\u2028");
  EXPECT_EQ(printable("\xa3 \xe2\x82"), "\\xa3 \\xe2\\x82");
  EXPECT_EQ(printable_lines("a\n\tb\r\x1b"), "a\n\tb\\r\\x1b");
}

TEST(Printable, KeepsOtherText) {
  for (const char* text : {"", "plain \\ text", "é ß 漢字 😀 ́a", "[0, 1]"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(shortened(text, 100), text);
  }
}

TEST(Printable, AnyBytesBecomeOneLineOfUtf8) {
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) {
    std::string bytes(random() % 30, '\0');
    for (char& c : bytes) c = static_cast<char>(random() % 4 ? random() : random() % 32);
    for (const std::string& text : {printable(bytes), shortened(printable(bytes), 9)}) {
      EXPECT_TRUE(is_utf8(text));
      for (const char c : text) EXPECT_FALSE((c >= 0 && c < ' ') || c == '\x7f');
    }
    EXPECT_EQ(printable(printable(bytes)), printable(bytes));
  }
}

TEST(Printable, ShortensInTheMiddle) {
  EXPECT_EQ(shortened("0123456789", 10), "0123456789");
  EXPECT_EQ(shortened("0123456789abc", 10), "01234...89abc");
  EXPECT_EQ(shortened("éééééééé", 7), "é...é");
}

}  // namespace
}  // namespace gyre
