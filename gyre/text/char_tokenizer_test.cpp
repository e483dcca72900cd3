#include "gyre/text/char_tokenizer.h"

#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Ids = std::vector<int32_t>;

TEST(CharTokenizer, SortedCharacters) {
  const auto chars = CharTokenizer::train("hello\n\xC3\xA9 \xF0\x9F\x98\x80");
  EXPECT_EQ(chars->vocab_size(), 8);  // \n, space, e, h, l, o, e acute, the face
  EXPECT_EQ(chars->encode("he\n\xC3\xA9"), (Ids{3, 2, 0, 6}));
  EXPECT_EQ(chars->decode(Ids{7, 1, 6}), "\xF0\x9F\x98\x80 \xC3\xA9");
  EXPECT_EQ(chars->token(2), "e");
  EXPECT_EQ(chars->encode(""), Ids());
}

TEST(CharTokenizer, SavedAndLoaded) {
  const std::string path = testing::TempDir() + "/gyre_char_tokenizer.json";
  const std::string text = "To be, or not to be:\n\"\\\t\xE2\x82\xAC";
  const auto chars = CharTokenizer::train(text);
  chars->save(path);
  const auto again = load_tokenizer(path);
  EXPECT_EQ(again->encode(text), chars->encode(text));
  EXPECT_EQ(again->decode(again->encode(text)), text);
  EXPECT_EQ(again->to_json(), chars->to_json());
  remove_tree(path);
}

TEST(CharTokenizer, AddedTokens) {
  const CharTokenizer chars({"a", "b", "<s>"}, {{.content = "<s>", .id = 2, .special = true}});
  EXPECT_EQ(chars.encode("ab<s>", Specials::as_tokens), (Ids{0, 1, 2}));
  EXPECT_EQ(tokenizer_from_json(chars.to_json())->encode("<s>b", Specials::as_tokens), (Ids{2, 1}));
}

TEST(CharTokenizer, RejectsInvalidInput) {
  const auto chars = CharTokenizer::train("ab");
  EXPECT_NE(message_of(Code::value, [&] { (void)chars->encode("ac"); }).find("U+0063"),
            std::string::npos);
  EXPECT_NE(message_of(Code::value, [&] { (void)chars->encode("\xC3\xA9"); }).find("U+00E9"),
            std::string::npos);
  EXPECT_NE(message_of(Code::value, [&] { (void)chars->encode("a\xFF"); }).find("byte 1"),
            std::string::npos);
  message_of(Code::value, [] { (void)CharTokenizer::train(""); });
  EXPECT_NE(message_of(Code::value, [] { (void)CharTokenizer::train("ab\xFE"); }).find("byte 2"),
            std::string::npos);
  message_of(Code::value, [] { CharTokenizer tokenizer({"a", "bc"}); });
  message_of(Code::value, [] { CharTokenizer tokenizer({"a", "\xFF"}); });
  message_of(Code::value, [] { CharTokenizer tokenizer({"a", "a"}); });
}

}  // namespace
}  // namespace gyre
