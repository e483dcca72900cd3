#include "gyre/text/splitters/regex.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gyre/base/build_info.h"
#include "gyre/text/splitters/regex_syntax.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

class RegexTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const BuildFeature& feature : build_info().features) {
      if (std::string_view(feature.name) == "ICU" && !feature.present) {
        GTEST_SKIP() << "built without ICU";
      }
    }
  }
};

std::vector<std::string> matches(std::string_view pattern, std::string_view text) {
  std::vector<std::string> found;
  Regex::compile(pattern, "pattern")->for_each_match(text, [&](size_t begin, size_t end) {
    found.emplace_back(text.substr(begin, end - begin));
  });
  return found;
}

using Found = std::vector<std::string>;

// The matches are those that tokenizers 0.23 finds.
TEST_F(RegexTest, PatternsOfTokenizers) {
  EXPECT_EQ(matches(R"( ?[^(\s|[.,!?…。，、।۔،])]+)", "Hello, wide (world)!"),  // Bloom
            (Found{"Hello", " wide", "world"}));
  EXPECT_EQ(matches("[0-9][0-9][0-9]", "12345678"), (Found{"123", "456"}));  // Falcon
  EXPECT_EQ(matches(R"(\p{N})", "a1\u00BD"), (Found{"1", "\u00BD"}));
  EXPECT_EQ(matches(R"([\p{Han}]+|\p{Lu}[\p{Ll}&&[^\p{Han}]]+)", "\u4E00\u4E01Ab"),
            (Found{"\u4E00\u4E01", "Ab"}));
  EXPECT_EQ(matches(R"(\d{1,3}(?=(?:\d{3})*\b))", "12345 a"), (Found{"12", "345"}));
  EXPECT_EQ(matches(R"(\d{1,3}(?=(?:\d{3})*\b))", "1234567"), (Found{"1", "234", "567"}));
}

TEST_F(RegexTest, SyntaxOfRuby) {
  EXPECT_EQ(matches(R"(\p{N}{1,3}+)", "1234567"), (Found{"1234567"}));  // not possessive
  EXPECT_EQ(matches(R"(a{2}?b)", "aab b"), (Found{"aab", "b"}));
  EXPECT_EQ(matches("xa{,2}", "xaaa"), (Found{"xaa"}));
  EXPECT_EQ(matches("a{|}|{x", "a{ } {x"), (Found{"a{", "}", "{x"}));
  EXPECT_EQ(matches(R"(\h+)", "xyz09afAFg"), (Found{"09afAF"}));
  EXPECT_EQ(matches(R"([^\h\s]+)", "xyz09"), (Found{"xyz"}));
  EXPECT_EQ(matches(R"(\p{^L}+)", "ab12cd"), (Found{"12"}));
  EXPECT_EQ(matches("(?m:a.)|b.", "a\r\nb\n"), (Found{"a\r"}));
  EXPECT_EQ(matches("x(?i)a|b|C", "xA xB xc a"), (Found{"xA", "xB", "xc"}));
  EXPECT_EQ(matches("^b", "a\nb\rb"), (Found{"b"}));
  EXPECT_EQ(matches(R"(\v)", "\n\x0B\r"), (Found{"\x0B"}));
  EXPECT_EQ(matches(R"(\w+)", "a_1\u00B2 \u200D"), (Found{"a_1\u00B2"}));
  EXPECT_EQ(matches(R"([\w]+)", "a_1\u00B2"), (Found{"a_1"}));
  EXPECT_EQ(matches(R"(8\b)", "88\U000E0035"), (Found{"8"}));
  EXPECT_EQ(matches(R"([[:punct:]]+)", "a+.b"), (Found{"+."}));
  EXPECT_EQ(matches(R"([]a]+)", "b]a"), (Found{"]a"}));
  EXPECT_EQ(matches(R"(\i\Q)", "iQ"), (Found{"iQ"}));
  EXPECT_EQ(matches("(?#(x)a|(?'n'b)", "ab"), (Found{"a", "b"}));
}

TEST_F(RegexTest, EmptyMatches) {
  std::vector<size_t> at;
  Regex::compile("a*", "pattern")->for_each_match("baa\u00E9", [&](size_t begin, size_t end) {
    at.push_back(begin);
    at.push_back(end);
  });
  EXPECT_EQ(at, (std::vector<size_t>{0, 0, 1, 3, 5, 5}));
}

TEST_F(RegexTest, BytesThatAreNotUtf8CountAsOneSymbol) {
  EXPECT_EQ(matches(R"([\p{So}])", "a\xFF\xE4\xB8z\U0001F600"),
            (Found{"\xFF", "\xE4\xB8", "\U0001F600"}));
}

TEST_F(RegexTest, LongTextsAreLinear) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "word\u4E00 ";
  EXPECT_EQ(matches(R"(\s?\p{L}+)", text).size(), 200'000u);
  EXPECT_EQ(matches(R"(\p{L}+$)", std::string(1'000'000, 'a')).size(), 1u);
}

TEST_F(RegexTest, RefusesWhatIcuCannot) {
  const auto refused = [](Code code, std::string_view pattern) {
    return message_of(code, [&] { (void)Regex::compile(pattern, "pre_tokenizer.pattern.Regex"); });
  };
  EXPECT_EQ(refused(Code::parse, "(a"),
            "pre_tokenizer.pattern.Regex: ICU cannot compile the regular expression '(a' "
            "(U_REGEX_MISMATCHED_PAREN at character 2)");
  for (const char* malformed : {"a)", "[a", "*a", R"(\p{Foo})", "a{2,1}", "a\\"}) {
    EXPECT_NE(refused(Code::parse, malformed).find(malformed), std::string::npos);
  }
  EXPECT_NE(refused(Code::unsupported, "(?<=a+)b").find("LOOK_BEHIND"), std::string::npos);
  for (const char* pattern : {R"(a\Kb)", R"(\g<1>)", R"(\y)", "(?~ab)", "(?(1)a|b)"}) {
    EXPECT_NE(refused(Code::unsupported, pattern).find("gyre does not support"), std::string::npos);
  }
}

TEST_F(RegexTest, LimitsBacktracking) {
  const auto regex = Regex::compile("(?:a|a)+$", "pre_tokenizer.pattern.Regex");
  const std::string text = std::string(60, 'a') + "b";
  const std::string message =
      message_of(Code::resource, [&] { regex->for_each_match(text, [](size_t, size_t) {}); });
  EXPECT_EQ(
      message,
      "pre_tokenizer.pattern.Regex: regular expression '(?:a|a)+$' needs too much backtracking "
      "for a text (U_REGEX_TIME_OUT)");
  const auto deep = Regex::compile("(?:a|b)+", "pattern");
  std::string pairs;
  for (int i = 0; i < 4'000'000; ++i) pairs += "ab";
  EXPECT_NE(message_of(Code::resource, [&] { deep->for_each_match(pairs, [](size_t, size_t) {}); })
                .find("STACK_OVERFLOW"),
            std::string::npos);
}

TEST(RegexSyntax, WithoutIcu) {
  const auto* feature = build_info().features.data();
  while (std::string_view(feature->name) != "ICU") ++feature;
  if (feature->present) GTEST_SKIP() << "built with ICU";
  EXPECT_NE(message_of(Code::unavailable,
                       [] { (void)Regex::compile("a", "pre_tokenizer.pattern.Regex"); })
                .find("pre_tokenizer.pattern.Regex"),
            std::string::npos);
}

TEST(RegexSyntax, LeavesCommonPatternsAsTheyAre) {
  for (const char* pattern :
       {R"(\s+(?!\S)|\s+)", R"([^\r\n\p{L}\p{N}]?\p{L}+)", R"((?i:'s|'t))", R"(a{2,3}?b{4}c++)",
        R"([a-z&&[^b]]|\[\]\-)", "(?<name>a)(?<=b)(?<!c)(?>d)(?=e)", "\u4E00+|[\u00E0-\u00F6]"}) {
    EXPECT_EQ(icu_syntax(pattern, "pattern"), pattern);
  }
}

}  // namespace
}  // namespace gyre
