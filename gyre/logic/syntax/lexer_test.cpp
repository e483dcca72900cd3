#include "gyre/logic/syntax/lexer.h"

#include <gtest/gtest.h>

#include <string>

#include "gyre/logic/syntax/token_stream.h"
#include "tests/logic_tree.h"

namespace gyre::logic {
namespace {

// The texts of the tokens, each with a letter for its kind.
std::string tokens(std::string_view text, bool comments = false) {
  Sources sources;
  Diagnostics diagnostics(sources);
  const uint32_t file = sources.add({"test.tl", std::string(text)});
  std::string all;
  for (const Token& t : tokens_of(sources, file, diagnostics, comments)) {
    if (t.kind == Token::end) break;
    all += (all.empty() ? "" : " ");
    all += "niksslc!"[t.kind];
    all += t.kind == Token::newline ? "" : std::string(t.text);
  }
  return all;
}

TEST(LogicLexer, Names) {
  EXPECT_EQ(tokens("a B_2 p'' _ _x"), "na nB_2 np'' n_ n_x");
  EXPECT_EQ(tokens("größe \xCE\xB2 x\xE2\x82\x81"), "ngröße n\xCE\xB2 nx\xE2\x82\x81");
  EXPECT_EQ(tokens("A\xE2\x86\x90\xC2\xACP"), "nA s\xE2\x86\x90 s\xC2\xAC nP");
}

TEST(LogicLexer, Numbers) {
  EXPECT_EQ(tokens("0 1.5 2e3 2.5E-3 1..3 4.x 3e x.5"),
            "i0 k1.5 k2e3 k2.5E-3 i1 s.. i3 i4 s. nx i3 ne nx s. i5");
  const auto value = [](const std::string& text) {
    const Parsed got = parsed("A = " + text);
    return got.diagnostics.empty() ? got.tree : got.places();
  };
  EXPECT_EQ(value("1e-400"), "(= A 0)");
  EXPECT_EQ(value("0." + std::string(400, '0') + "1"), "(= A 0)");
  EXPECT_EQ(value("0." + std::string(400, '0') + "1e401"), "(= A 1)");
  EXPECT_EQ(value("4.9406564584124654e-324"), "(= A 4.9406564584124654e-324)");
  EXPECT_EQ(value("1e400"), "1:5 E0001");
  EXPECT_EQ(value(std::string(400, '9')), "1:5 E0001");
  EXPECT_EQ(value(std::string(400, '9') + "e-5"), "1:5 E0001");
  EXPECT_EQ(value("1e99999999999999999999"), "1:5 E0001");
  EXPECT_EQ(value("1e-99999999999999999999"), "(= A 0)");
  EXPECT_EQ(value("1.7976931348623157e308"), "(= A 1.7976931348623157e+308)");
}

TEST(LogicLexer, Strings) {
  EXPECT_EQ(tokens(R"("a" "\"" "\\" "" "# //")"), R"(s"a" s"\"" s"\\" s"" s"# //")");
  EXPECT_EQ(tokens("\"a\nb \"c"), "!\"a l nb !\"c");
  EXPECT_EQ(unquoted(R"("a\"\\\n\tb\q")"), "a\"\\\n\tbq");
  EXPECT_EQ(unquoted("\"\""), "");
  for (const std::string text : {"", "a\"b", "\\", "a\nb\t", "\\n", "é"}) {
    EXPECT_EQ(unquoted(logic::quoted(text)), text);
  }
}

TEST(LogicLexer, SignsAreAsLongAsPossible) {
  EXPECT_EQ(tokens("<-:-:===<=**"), "s<- s:- s:= s== s<= s**");
  EXPECT_TRUE(would_join(":", "-"));
  EXPECT_TRUE(would_join("<", "-"));
  EXPECT_TRUE(would_join("/", "*"));
  EXPECT_TRUE(would_join("/", "/"));
  EXPECT_FALSE(would_join(",", "*"));
  EXPECT_FALSE(would_join("<-", "-"));
}

TEST(LogicLexer, Comments) {
  EXPECT_EQ(tokens("a # b\nc // d\n/* e\n */ f /*", true),
            "na c# b l nc c// d l c/* e\n */ nf c/*");
  EXPECT_EQ(tokens("a # b\nc // d\n/* e\n */ f"), "na l nc l nf");
}

TEST(LogicLexer, WhetherSpaceStandsBefore) {
  Sources sources;
  Diagnostics diagnostics(sources);
  const uint32_t file = sources.add({"test.tl", "f(x) f (x)/**/(y)\n(z)"});
  std::string spaced;
  for (const Token& t : tokens_of(sources, file, diagnostics)) {
    if (t.is("(")) spaced += t.spaced ? 'y' : 'n';
  }
  EXPECT_EQ(spaced, "nyyy");
}

}  // namespace
}  // namespace gyre::logic
