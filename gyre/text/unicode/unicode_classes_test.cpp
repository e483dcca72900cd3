#include "gyre/text/unicode/unicode_classes.h"

#include <gtest/gtest.h>

#include <utility>

#include "gyre/text/unicode/versions.h"

namespace gyre {
namespace {

struct Summary {
  uint32_t count = 0, hash = 0;
  uint64_t sum = 0;
  bool operator==(const Summary&) const = default;
};

/// Of the code points other than surrogates for which `is` holds.
template <class Is>
Summary summary_of(Is is) {
  Summary result;
  for (char32_t code = 0; code < 0x110000; ++code) {
    if ((code >= 0xD800 && code < 0xE000) || !is(code)) continue;
    ++result.count;
    result.sum += code;
    result.hash = result.hash * 31 + code;
  }
  return result;
}

// The sets of characters of Hugging Face's tokenizers 0.23, found by running its stages on every
// code point, as counts and checksums.
TEST(UnicodeClasses, AgreeWithHuggingFace) {
  const auto kind = [](CharClass wanted) {
    return summary_of([=](char32_t c) { return char_class(c) == wanted; });
  };
  EXPECT_EQ(kind(CharClass::letter), (Summary{141028, 2088411626, 15240929258}));
  EXPECT_EQ(kind(CharClass::number), (Summary{1911, 3238422675, 110651895}));
  EXPECT_EQ(kind(CharClass::space), (Summary{25, 3245078362, 141586}));
  EXPECT_EQ(summary_of(is_white_space), (Summary{25, 3245078362, 141586}));
  EXPECT_EQ(summary_of(is_word_character), (Summary{144667, 1470594148, 15621645388}));
  EXPECT_EQ(summary_of(is_cjk_ideograph), (Summary{81264, 993111736, 9171601864}));
}

TEST(UnicodeClasses, OtherVersionsAgreeWithHuggingFace) {
  const auto punctuation = [](char32_t c) {
    return is_punctuation(category_unicode_8(c)) || (c < 128 && is_symbol(category(c)));
  };
  const auto accent = [](char32_t c) { return category_unicode_8(c) == Category::Mn; };
  const auto cleaned = [](char32_t c) {
    const Category found = category_unicode_8(c);
    return c == 0xFFFD ||
           (is_other(found) && found != Category::Cn && c != 9 && c != 10 && c != 13);
  };
  EXPECT_EQ(summary_of(punctuation), (Summary{726, 3340104531, 20675981}));
  EXPECT_EQ(summary_of(accent), (Summary{1567, 3655089054, 262554314}));
  EXPECT_EQ(summary_of(cleaned), (Summary{137681, 1720192021, 137913084793}));
  EXPECT_EQ(summary_of(is_mark_unicode_9), (Summary{2097, 296948089, 286880651}));
  EXPECT_EQ(summary_of(is_number_unicode_17), (Summary{1924, 1116905937, 111666371}));
}

TEST(UnicodeClasses, Categories) {
  constexpr std::pair<char32_t, Category> kCases[] = {
      {'A', Category::Lu},      {'a', Category::Ll},     {0x1C5, Category::Lt},
      {0x2B0, Category::Lm},    {0x4E00, Category::Lo},  {0x301, Category::Mn},
      {0x903, Category::Mc},    {0x20DD, Category::Me},  {'7', Category::Nd},
      {0x2163, Category::Nl},   {0xBD, Category::No},    {'_', Category::Pc},
      {'-', Category::Pd},      {'(', Category::Ps},     {')', Category::Pe},
      {0xAB, Category::Pi},     {0xBB, Category::Pf},    {'!', Category::Po},
      {'+', Category::Sm},      {'$', Category::Sc},     {'^', Category::Sk},
      {0x1F600, Category::So},  {' ', Category::Zs},     {0x2028, Category::Zl},
      {0x2029, Category::Zp},   {'\n', Category::Cc},    {0x200D, Category::Cf},
      {0xD800, Category::Cs},   {0xE000, Category::Co},  {0x378, Category::Cn},
      {0x10FFFF, Category::Cn}, {0x11DB0, Category::Cn}, {0x1C89, Category::Lu},
  };
  for (const auto& [code, expected] : kCases) EXPECT_EQ(category(code), expected) << size_t{code};
  EXPECT_EQ(category_unicode_8(0x1C89), Category::Cn);  // since Unicode 16
}

TEST(UnicodeClasses, PastTheLastCodePoint) {
  EXPECT_EQ(char_class(0x10FFFF), CharClass::other);
  EXPECT_EQ(char_class(0x110000), CharClass::other);
  EXPECT_EQ(char_class(0xFFFFFFFF), CharClass::other);
  EXPECT_EQ(category(0x110000), Category::Cn);
}

}  // namespace
}  // namespace gyre
