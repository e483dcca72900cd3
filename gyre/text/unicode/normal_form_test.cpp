#include "gyre/text/unicode/normal_form.h"

#include <gtest/gtest.h>

#include "gyre/base/text/utf8.h"
#include "gyre/text/unicode/letter_case.h"

namespace gyre {
namespace {

/// A checksum of the bytes that `convert` gives for every code point other than surrogates and most
/// ideographs, syllables and unassigned ones.
template <class Convert>
uint32_t checksum(Convert convert) {
  uint32_t hash = 0;
  for (char32_t code = 0; code < 0x110000; ++code) {
    const bool skipped = (code >= 0x3500 && code < 0xA000) || (code >= 0xAC80 && code < 0xD780) ||
                         (code >= 0xD800 && code < 0xF900) || (code >= 0x12000 && code < 0x16000) ||
                         (code >= 0x17000 && code < 0x1B000) ||
                         (code >= 0x20000 && code < 0x2F700) || code >= 0x30000;
    if (skipped) continue;
    for (const char byte : convert(code)) hash = hash * 31 + static_cast<unsigned char>(byte);
  }
  return hash;
}

// Checksums of what Hugging Face's tokenizers 0.23 give: every code point after an `a` with a dot
// below and before an acute accent, so that reordering and composition are seen.
TEST(NormalForm, AgreesWithHuggingFace) {
  const auto sum = [](NormalForm form) {
    return checksum([=](char32_t code) {
      std::string text = "a\u0323";
      append_utf8(text, code);
      return normalized(text + "\u0301", form);
    });
  };
  EXPECT_EQ(sum(NormalForm::nfc), 2946859138u);
  EXPECT_EQ(sum(NormalForm::nfd), 3998356427u);
  EXPECT_EQ(sum(NormalForm::nfkc), 4249747149u);
  EXPECT_EQ(sum(NormalForm::nfkd), 4173794702u);
}

TEST(LetterCase, AgreesWithHuggingFace) {
  EXPECT_EQ(checksum([](char32_t code) {
              std::string out;
              append_lower(out, code);
              return out;
            }),
            3209998663u);
}

TEST(LetterCase, SpecialMappings) {
  std::string out;
  for (const char32_t code : {U'A', U'z', U'\u0130', U'\u03A3', U'\u01C5', U'\u212A', U'\u4E00'}) {
    append_lower(out, code);
  }
  EXPECT_EQ(out, "azi\u0307\u03C3\u01C6k\u4E00");
}

TEST(NormalForm, ComposesAndDecomposes) {
  EXPECT_EQ(normalized("e\u0301", NormalForm::nfc), "\u00E9");
  EXPECT_EQ(normalized("\u00E9", NormalForm::nfd), "e\u0301");
  EXPECT_EQ(normalized("\u1E9B\u0323", NormalForm::nfc), "\u1E9B\u0323");
  EXPECT_EQ(normalized("\u1E9B\u0323", NormalForm::nfd), "\u017F\u0323\u0307");
  EXPECT_EQ(normalized("\u1E9B\u0323", NormalForm::nfkc), "\u1E69");
  EXPECT_EQ(normalized("\u1E9B\u0323", NormalForm::nfkd), "s\u0323\u0307");
  EXPECT_EQ(normalized("\uFB01 \uFF21 \u2460 \U0001D400", NormalForm::nfkc), "fi A 1 A");
  EXPECT_EQ(normalized("\uD55C\uAE00", NormalForm::nfd), "\u1112\u1161\u11AB\u1100\u1173\u11AF");
  EXPECT_EQ(normalized("\u1112\u1161\u11AB\u1100\u1173\u11AF", NormalForm::nfc), "\uD55C\uAE00");
  EXPECT_EQ(normalized("\u2126", NormalForm::nfc), "\u03A9");
  EXPECT_EQ(normalized("\u0958", NormalForm::nfc), "\u0915\u093C");  // never composed
}

TEST(NormalForm, BlockedMarksStay) {
  // Of two marks with the same class only the first composes.
  EXPECT_EQ(normalized("a\u0301\u0300", NormalForm::nfc), "\u00E1\u0300");
  EXPECT_EQ(normalized("a\u0300\u0323", NormalForm::nfc), "\u1EA1\u0300");
  EXPECT_EQ(normalized("\u0301a", NormalForm::nfc), "\u0301a");
}

TEST(NormalForm, InvalidBytesStay) {
  for (const NormalForm form :
       {NormalForm::nfc, NormalForm::nfd, NormalForm::nfkc, NormalForm::nfkd}) {
    EXPECT_EQ(normalized("\xFF", form), "\xFF");
    EXPECT_EQ(normalized("a\xFF\u0301", form), "a\xFF\u0301");
    EXPECT_EQ(normalized("\xE4\xB8", form), "\xE4\xB8");
    EXPECT_EQ(normalized("", form), "");
    EXPECT_EQ(normalized("plain", form), "plain");
  }
  EXPECT_EQ(normalized("e\u0301\xC3", NormalForm::nfc), "\u00E9\xC3");
}

TEST(NormalForm, ManyMarksAtOnce) {
  std::string text = "a";
  for (int i = 0; i < 100'000; ++i) text += i % 2 == 0 ? "\u0301" : "\u0323";
  const std::string ordered = normalized(text, NormalForm::nfd);
  EXPECT_EQ(ordered.size(), text.size());
  EXPECT_EQ(ordered.substr(0, 5), "a\u0323\u0323");
  EXPECT_EQ(normalized(text, NormalForm::nfc).substr(0, 5), "\u1EA1\u0323");
}

}  // namespace
}  // namespace gyre
