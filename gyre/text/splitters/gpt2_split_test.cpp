#include "gyre/text/splitters/gpt2_split.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gyre {
namespace {

std::vector<std::string> pieces(std::string_view text) {
  std::vector<std::string> found;
  for (size_t at = 0; at < text.size();) {
    const size_t end = gpt2_piece_end(text, at);
    EXPECT_GT(end, at);
    EXPECT_LE(end, text.size());
    found.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

using Pieces = std::vector<std::string>;

TEST(Gpt2Split, WordsNumbersSigns) {
  EXPECT_EQ(pieces("Hello world"), (Pieces{"Hello", " world"}));
  EXPECT_EQ(pieces("a1b22!?c"), (Pieces{"a", "1", "b", "22", "!?", "c"}));
  EXPECT_EQ(pieces("x = 3.5;"), (Pieces{"x", " =", " 3", ".", "5", ";"}));
}

TEST(Gpt2Split, Contractions) {
  EXPECT_EQ(pieces("it's we'll I've you're he'd I'm can't"),
            (Pieces{"it", "'s", " we", "'ll", " I", "'ve", " you", "'re", " he", "'d", " I", "'m",
                    " can", "'t"}));
  EXPECT_EQ(pieces("IT'S"), (Pieces{"IT", "'", "S"}));    // lower case only
  EXPECT_EQ(pieces("a 'so"), (Pieces{"a", " '", "so"}));  // the space binds to the apostrophe
  EXPECT_EQ(pieces("'sting"), (Pieces{"'s", "ting"}));
  EXPECT_EQ(pieces("''s'"), (Pieces{"''", "s", "'"}));
  EXPECT_EQ(pieces("'l"), (Pieces{"'", "l"}));
}

TEST(Gpt2Split, Spaces) {
  EXPECT_EQ(pieces("a  b"), (Pieces{"a", " ", " b"}));
  EXPECT_EQ(pieces("a   b  "), (Pieces{"a", "  ", " b", "  "}));
  EXPECT_EQ(pieces("a\nb"), (Pieces{"a", "\n", "b"}));
  EXPECT_EQ(pieces("a\n\nb"), (Pieces{"a", "\n", "\n", "b"}));
  EXPECT_EQ(pieces("a \n b"), (Pieces{"a", " \n", " b"}));
  EXPECT_EQ(pieces(" \xC2\xA0\xE3\x80\x80x"), (Pieces{" \xC2\xA0", "\xE3\x80\x80", "x"}));
  EXPECT_EQ(pieces(" "), (Pieces{" "}));
  EXPECT_EQ(pieces(" \t"), (Pieces{" \t"}));
}

TEST(Gpt2Split, OtherScripts) {
  EXPECT_EQ(pieces("\xD0\xBD\xD0\xB5 \xE6\x88\x91\xE6\x83\xB3"
                   "1\xC2\xBD"),
            (Pieces{"\xD0\xBD\xD0\xB5", " \xE6\x88\x91\xE6\x83\xB3", "1\xC2\xBD"}));
  EXPECT_EQ(pieces("a\xF0\x9F\xA6\x99 b"), (Pieces{"a", "\xF0\x9F\xA6\x99", " b"}));
}

TEST(Gpt2Split, WordsOfAnyLengthEndAtAnyByte) {
  for (size_t length = 1; length <= 20; ++length) {
    const std::string word = std::string("azAZmqBYxkPcNdEfGhIj").substr(0, length);
    for (int end = 0; end < 128; ++end) {
      const auto c = static_cast<char>(end);
      if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) continue;
      for (const char* rest : {"", "b", "bcdefghijklmnop"}) {
        ASSERT_EQ(gpt2_piece_end(word + c + rest, 0), length) << length << " " << end;
      }
    }
    ASSERT_EQ(gpt2_piece_end(word, 0), length);
    ASSERT_EQ(gpt2_piece_end(word + "\xC3\xA9" + word + " x", 0), 2 * length + 2);
    ASSERT_EQ(gpt2_piece_end(word + "\xFF" + "bcdefghijk", 0), length);
  }
}

TEST(Gpt2Split, AnyBytesAreSplitWithoutLoss) {
  uint64_t state = 7;
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const auto draw = static_cast<unsigned>(state >> 40);
      text += draw % 3 == 0 ? " 'sl"[draw / 3 % 4] : static_cast<char>(draw >> 8);
    }
    std::string joined;
    for (const std::string& piece : pieces(text)) joined += piece;
    ASSERT_EQ(joined, text);
  }
  EXPECT_EQ(pieces("a\xFF\xC3"
                   "b"),
            (Pieces{"a", "\xFF\xC3", "b"}));
}

}  // namespace
}  // namespace gyre
