#include "gyre/text/splitters/known_patterns.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gyre/base/build_info.h"
#include "gyre/text/splitters/regex.h"
#include "gyre/text/splitters/splitter.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Parts = std::vector<std::string>;

Parts matches_of(const KnownPattern& known, std::string_view text) {
  Parts found;
  known.match_all(
      text, [&](size_t begin, size_t end) { found.emplace_back(text.substr(begin, end - begin)); });
  return found;
}

const KnownPattern& pattern_of(std::string_view tokenizer) {
  for (size_t i = 0; i < known_pattern_count(); ++i) {
    if (known_pattern(i).tokenizer == tokenizer) return known_pattern(i);
  }
  throw std::invalid_argument(std::string(tokenizer));
}

bool with_icu() {
  for (const BuildFeature& feature : build_info().features) {
    if (std::string_view(feature.name) == "ICU") return feature.present;
  }
  return false;
}

// The matches are those that tokenizers 0.23 finds.
TEST(KnownPatterns, Words) {
  constexpr std::string_view kText = "I'LL say: don\u017F't 12345 iPhone\n\n  HTTPServer's//x";
  EXPECT_EQ(matches_of(pattern_of("Llama 3, GPT-4"), kText),
            (Parts{"I", "'LL", " say", ":", " don\u017F", "'t", " ", "123", "45", " iPhone", "\n\n",
                   " ", " HTTPServer", "'s", "//", "x"}));
  EXPECT_EQ(matches_of(pattern_of("Qwen2"), "a 12\r\n x"),
            (Parts{"a", " ", "1", "2", "\r\n", " x"}));
  EXPECT_EQ(matches_of(pattern_of("GPT-4o"), kText),
            (Parts{"I'LL", " say", ":", " don\u017F't", " ", "123", "45", " i", "Phone", "\n\n",
                   " ", " HTTPServer's", "//", "x"}));
  EXPECT_EQ(matches_of(pattern_of("Tekken"), "it's AB\u65E5C 12 !\n/"),
            (Parts{"it", "'s", " AB\u65E5", "C", " ", "1", "2", " !\n/"}));
}

TEST(KnownPatterns, DeepSeek) {
  EXPECT_EQ(matches_of(pattern_of("DeepSeek-V3, numbers"), "a1234b\u00BD"),
            (Parts{"123", "4", "\u00BD"}));
  EXPECT_EQ(matches_of(pattern_of("DeepSeek-V3, CJK"), "a\u4E00\u3042b\u30A2\uAC00"),
            (Parts{"\u4E00\u3042", "\u30A2"}));
  EXPECT_EQ(matches_of(pattern_of("DeepSeek-V3"), ".word 12 3x !?\n\ne\u0301"),
            (Parts{".word", " ", " ", "3x", " !?\n\n", "e\u0301"}));
}

TEST(KnownPatterns, EscapedAndPlainNewlinesAreOne) {
  for (size_t i = 0; i < known_pattern_count(); ++i) {
    std::string text(known_pattern(i).pattern);
    EXPECT_EQ(find_known_pattern(text), &known_pattern(i));
    EXPECT_TRUE(Splitter::from_pattern(text, "pattern").is_known());
    for (size_t at; (at = text.find("\\r")) != std::string::npos;) text.replace(at, 2, "\r");
    for (size_t at; (at = text.find("\\n")) != std::string::npos;) text.replace(at, 2, "\n");
    EXPECT_EQ(find_known_pattern(text), &known_pattern(i));
    EXPECT_EQ(find_known_pattern(text + "x"), nullptr);
  }
}

/// Texts of pieces at which the patterns decide; the last two are not UTF-8.
class RandomTexts {
 public:
  explicit RandomTexts(size_t without = 0) : without_(without) {}
  std::string next() {
    static constexpr std::string_view kPieces[] = {
        "a",      "Z",      "hello",  "Hello",      "WORLD",   " ",       "  ",         "\n",
        "\r",     "\t",     "1",      "42",         "12345",   "'s",      "'T",         "'re",
        "'VE",    "'ll",    "'d",     "'M",         "'\u017F", "'",       "'l",         "/",
        ".",      "!?",     "_",      "$",          "+",       "\u00E9",  "\u0301",     "\u0903",
        "\u20DD", "\u00DF", "\u0416", "\u0436",     "\u01C5",  "\u02B0",  "\u4E00",     "\u9FA6",
        "\u3042", "\u30FC", "\u3000", "\u00A0",     "\u0085",  "\u2028",  "\u000B",     "\u00BD",
        "\u2163", "\u0663", "\u2014", "\u00AB",     "\u20AC",  "\u212A",  "\U0001F600", "\u200D",
        "\u0001", "\uE000", "\u0378", "\U0010FFFF", "\xFF",    "\xE4\xB8"};
    std::string text;
    for (uint64_t length = draw(12); length > 0; --length) {
      text += kPieces[draw(std::size(kPieces) - without_)];
    }
    return text;
  }

 private:
  uint64_t draw(uint64_t below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % below;
  }
  size_t without_;
  uint64_t state_ = 5;
};

// Checksums of the lengths of all matches that tokenizers 0.23 finds in 20,000 texts, by
// Split(Regex(pattern), "removed", invert=True).
TEST(KnownPatterns, AgreeWithHuggingFace) {
  constexpr uint32_t kExpected[] = {
      1464461030u, 1464461030u, 3251774776u, 3251774776u, 3251774776u, 807319106u,
      1621805490u, 2128552964u, 1831072772u, 3477151248u, 3022626578u, 2201574322u,
  };
  ASSERT_EQ(std::size(kExpected), known_pattern_count());
  for (size_t i = 0; i < known_pattern_count(); ++i) {
    uint32_t hash = 0;
    RandomTexts texts(2);
    for (int round = 0; round < 20'000; ++round) {
      const std::string text = texts.next();
      hash = hash * 31 + static_cast<uint32_t>(text.size());
      known_pattern(i).match_all(text, [&](size_t begin, size_t end) {
        hash = hash * 31 + static_cast<uint32_t>(end - begin);
      });
    }
    EXPECT_EQ(hash, kExpected[i]) << known_pattern(i).tokenizer;
  }
}

TEST(KnownPatterns, FindWhatIcuFinds) {
  if (!with_icu()) GTEST_SKIP() << "built without ICU";
  for (size_t i = 0; i < known_pattern_count(); ++i) {
    const KnownPattern& known = known_pattern(i);
    const auto regex = Regex::compile(known.pattern, "pattern");
    RandomTexts texts;
    for (int round = 0; round < 3000; ++round) {
      const std::string text = texts.next();
      Parts expected;
      regex->for_each_match(text, [&](size_t begin, size_t end) {
        expected.push_back(text.substr(begin, end - begin));
      });
      ASSERT_EQ(matches_of(known, text), expected) << known.tokenizer << ": " << text;
    }
  }
}

TEST(KnownPatterns, LongRunsAreLinear) {
  std::string text;
  for (const std::string_view unit : {" ", "a", "A", "\n", "1", "!", "\u4E00", "\u0301", " \n"}) {
    for (int i = 0; i < 50'000; ++i) text += unit;
    text += "x";
  }
  for (size_t i = 0; i < known_pattern_count(); ++i) {
    size_t end_before = 0;
    known_pattern(i).match_all(text, [&](size_t begin, size_t end) {
      EXPECT_GE(begin, end_before);
      EXPECT_GT(end, begin);
      end_before = end;
    });
  }
}

TEST(Splitter, Gpt2) {
  Parts found;
  const std::string_view text = "Hello  world's";
  Splitter::gpt2().for_each_match(
      text, [&](size_t begin, size_t end) { found.emplace_back(text.substr(begin, end - begin)); });
  EXPECT_EQ(found, (Parts{"Hello", " ", " world", "'s"}));
}

TEST(Splitter, OtherPatternsUseIcu) {
  const auto make = [] { return Splitter::from_pattern("[0-9][0-9]", "pre_tokenizer.pattern"); };
  if (!with_icu()) {
    EXPECT_NE(message_of(Code::unavailable, make).find("pre_tokenizer.pattern"), std::string::npos);
    return;
  }
  std::vector<std::pair<size_t, size_t>> found;
  const Splitter splitter = make();
  EXPECT_FALSE(splitter.is_known());
  splitter.for_each_match("a12345", [&](size_t begin, size_t end) {
    found.push_back({begin, end});
  });
  EXPECT_EQ(found, (std::vector<std::pair<size_t, size_t>>{{1, 3}, {3, 5}}));
}

}  // namespace
}  // namespace gyre
