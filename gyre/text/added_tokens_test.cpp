#include "gyre/text/added_tokens.h"

#include <gtest/gtest.h>

#include "gyre/base/error.h"

namespace gyre {
namespace {

/// All matches as `begin-end:id`.
std::string matches(const AddedTokens& added, std::string_view text, bool specials = true) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const AddedTokens::Match match = added.find(text, at, specials);
    if (match.token == nullptr) break;
    out += (out.empty() ? "" : " ") + std::to_string(match.begin) + "-" +
           std::to_string(match.end) + ":" + std::to_string(match.token->id);
    at = match.end;
  }
  return out;
}

TEST(AddedTokens, LongestMatchAtTheFirstPosition) {
  const AddedTokens added(
      {{.content = "ab", .id = 1}, {.content = "abc", .id = 2}, {.content = "bcd", .id = 3}});
  EXPECT_EQ(matches(added, "xabcd ab"), "1-4:2 6-8:1");
  EXPECT_EQ(matches(added, "bcd"), "0-3:3");
  EXPECT_EQ(matches(added, "xyz"), "");
  EXPECT_EQ(matches(AddedTokens(), "abc"), "");
}

TEST(AddedTokens, SpecialTokensOnlyOnRequest) {
  const AddedTokens added(
      {{.content = "<s>", .id = 1, .special = true}, {.content = "x", .id = 2}});
  EXPECT_EQ(matches(added, "<s>x", true), "0-3:1 3-4:2");
  EXPECT_EQ(matches(added, "<s>x", false), "3-4:2");
  EXPECT_TRUE(added.is_special(1));
  EXPECT_FALSE(added.is_special(2));
  EXPECT_FALSE(added.is_special(3));
}

TEST(AddedTokens, StripsWhiteSpace) {
  const AddedTokens added(
      {{.content = "<l>", .id = 1, .lstrip = true}, {.content = "<r>", .id = 2, .rstrip = true}});
  EXPECT_EQ(matches(added, "a \n <l> b"), "1-7:1");
  EXPECT_EQ(matches(added, "a <r> \xE3\x80\x80 b"), "2-10:2");
  EXPECT_EQ(matches(added, "<r>  <l>"), "0-5:2 5-8:1");
  EXPECT_EQ(matches(added, "\xC3\xA9<l>"), "2-5:1");  // a UTF-8 character is not split
  EXPECT_EQ(matches(added, "\x80\x80\x80\x80\x80<l>"), "5-8:1");
  EXPECT_EQ(matches(added, " <l>"), "0-4:1");
}

TEST(AddedTokens, RejectsInvalidTokens) {
  EXPECT_THROW(AddedTokens({{.content = "", .id = 1}}), Error);
  EXPECT_THROW(AddedTokens({{.content = "a", .id = 1}, {.content = "a", .id = 2}}), Error);
}

}  // namespace
}  // namespace gyre
