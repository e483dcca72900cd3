#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fewer.h"
#include "tests/logic_tree.h"
#include "tests/thrown.h"

// Programs with errors: each error is found, at its place, and nothing else is said.

namespace gyre::logic {
namespace {

std::string places(std::string_view text) { return parsed(text).places(); }
std::string repeated(std::string_view part, size_t count) {
  std::string all;
  all.reserve(part.size() * count);
  for (size_t i = 0; i < count; ++i) all += part;
  return all;
}

TEST(LogicRecovery, FiveErrorsAreFiveDiagnostics) {
  const Parsed got = parsed(
      "A = 1 )\n"
      "B = 2\n"
      "  C = $ 3\n"
      "domain P = {A B}\n"
      "D = 4\n"
      "\n"
      "R(é, 1.5)\n"
      "learn { epochs: 0 }\n"
      "E = 5\n");
  EXPECT_EQ(got.places(), "1:7 E0002, 3:7 E0001, 4:15 E0002, 7:6 E0002, 8:17 E0002");
  EXPECT_EQ(got.tree, "(= B 2) (= D 4) (= E 5)");
}

TEST(LogicRecovery, AnOpenBracketEndsWithItsStatement) {
  const Parsed got =
      parsed("Y[i = X[i]\nZ = 1\nU = f(Z\nV[i] = 2\nW = [1, (2\nX = 3\n(X)?\nQ = (1 +\n");
  EXPECT_EQ(got.places(), "1:5 E0002, 3:6 E0002, 5:9 E0002, 8:5 E0002");
  EXPECT_EQ(got.tree, "(= Z 1) (= V[i] 2) (= X 3) (query (group X))");
}

TEST(LogicRecovery, AnOpenListEndsWithItsStatement) {
  const Parsed got = parsed("domain P = {A B\nR(1.5); )\nA = 1\ndomain Q = {A,\nB max= 2\n");
  EXPECT_EQ(got.places(), "1:15 E0002, 2:3 E0002, 2:9 E0002, 4:12 E0002");
  EXPECT_EQ(got.tree, "(= A 1) (max= B 2)");
}

TEST(LogicRecovery, AnArrayWithAnErrorIsOneError) {
  EXPECT_EQ(places("W = [\n[1, 2],\n[3, +],\n[4, 5]\n]\nA = 1"), "3:5 E0002");
  EXPECT_EQ(places("Y = f(a,\n      b c d +,\n      e)\nA = 1"), "2:14 E0002");
  EXPECT_EQ(places("Y = f(\na,\nb c d +,\ne\n)\nA = 1"), "3:8 E0002");
  EXPECT_EQ(places("domain P = {\nA,\nB C,\nD\n}\nA = 1"), "3:3 E0002");
  EXPECT_EQ(places("embedding E {\n  entities: {A B},\n  dimension: 2\n}\nA = )"),
            "2:16 E0002, 5:5 E0002");
  EXPECT_EQ(places("A(x) <- P(x),\n  Q(x) +,\n  R(x)\nA = 1"), "2:9 E0002");
}

TEST(LogicRecovery, StatementsOfABlockAreReadOneByOne) {
  const Parsed got = parsed("main {\n  A = +\n  B = 1\n  if A { C = ; D = 2 }\n  E = (\n}\nF = 3");
  EXPECT_EQ(got.places(), "2:7 E0002, 4:14 E0002, 5:7 E0002");
  EXPECT_EQ(got.tree, "(main  (do (= B 1) (if A (do (= D 2)) (do)))) (= F 3)");
}

TEST(LogicRecovery, AHeaderWithAnErrorTakesItsBlock) {
  const Parsed got = parsed("for x of P {\n  A = +\n}\nif {\n  B = 1\n}\nC = 1");
  EXPECT_EQ(got.places(), "1:7 E0002, 4:4 E0002");
  EXPECT_EQ(got.tree, "(= C 1)");
}

TEST(LogicRecovery, Braces) {
  EXPECT_EQ(places("A = 1\n}\n}\n}"), "2:1 E0002, 3:1 E0002, 4:1 E0002");
  EXPECT_EQ(places("main { } }"), "1:10 E0002");
  EXPECT_EQ(places("main {\nA = 1\n"), "3:1 E0002");
  EXPECT_EQ(places("main {\nif a {\nloop {"), "3:7 E0002");
  EXPECT_EQ(places("learn {\nA = 1\n"), "3:1 E0002");
  EXPECT_EQ(places("domain P = {A,\nB"), "2:2 E0002");
}

TEST(LogicRecovery, SeveralStatementsOnALine) {
  const Parsed got = parsed("A = +; B = 1; C = [2; D = 3; E = 4\nF = )\nG = 5");
  EXPECT_EQ(got.places(), "1:5 E0002, 1:21 E0002, 2:5 E0002");
  EXPECT_EQ(got.tree, "(= B 1) (= G 5)");
}

TEST(LogicRecovery, WindowsLineEnds) {
  const Parsed got = parsed("A = 1\r\nB = )\r\nC = (1\r\n  + 2)\r\n");
  EXPECT_EQ(got.places(), "2:5 E0002");
  EXPECT_EQ(text_of(got.diagnostics[0]),
            "test.tl:2:5: error[E0002]: expected an expression, found ')'\nB = )\n    ^");
  EXPECT_EQ(got.tree, "(= A 1) (= C (group (+ 1 2)))");
}

TEST(LogicRecovery, TheCaretIsBelowTheCharacter) {
  const auto text = [](const char* program) { return text_of(parsed(program).diagnostics.at(0)); };
  EXPECT_EQ(text("\tÄ = é )"),
            "test.tl:1:8: error[E0002]: expected the end of the statement, found ')'\n"
            " Ä = é )\n"
            "       ^");
  EXPECT_EQ(text("A = \"x\x01yz"),
            "test.tl:1:5: error[E0001]: this string has no closing quote\n"
            "A = \"x\\x01yz\n"
            "    ^~~~~~~~");
  EXPECT_EQ(text("A = "),
            "test.tl:1:5: error[E0002]: expected an expression, found the end of the "
            "file\nA = \n    ^");
}

TEST(LogicRecovery, TheTextOfADiagnostic) {
  EXPECT_EQ(
      text_of(parsed("A = 1\nparent(x, y)?").diagnostics.at(0)),
      "test.tl:2:1: error[E0002]: a relation begins with an upper-case letter, found 'parent'\n"
      "parent(x, y)?\n"
      "^~~~~~\n"
      "  note: a lower-case name before '(' is a function");
  EXPECT_EQ(text_of({{DiagnosticCode::W02, {}, "a\x1b", "b\x02", "c\n"}, "f\n.tl"}),
            "f\\n.tl:1:1: warning[W02]: a\\x1b\n  note: b\\x02\n  help: c\\n");
}

TEST(LogicRecovery, DeepNestsAreRefused) {
  constexpr size_t kMany = fewer(100000);
  for (const char* part :
       {"(", "[", "-", "not ", "f(", "2^", "X[(", "sum[i](", "main {\n", "a(b,"}) {
    const Parsed got = parsed("Y = 1\nY = " + repeated(part, kMany));
    EXPECT_EQ(got.diagnostics.size(), 1U) << part << got.places();
    EXPECT_EQ(got.places().substr(0, 2), "2:") << part;
    EXPECT_LT(text_of(got.diagnostics[0]).size(), 400U) << part;
  }
  for (const char* part : {"main {\n", "learn {\n", "if a {\n", "fn f() {\n", "loop {"}) {
    const size_t count = parsed(repeated(part, kMany)).diagnostics.size();
    EXPECT_TRUE(count == 1 || count == 2) << part << count;
  }
  EXPECT_EQ(parsed("if a {}" + repeated(" else if a {}", kMany)).diagnostics.size(), 1U);
  EXPECT_EQ(places("Y = " + repeated("(", 190) + "1" + repeated(")", 190)), "");
  EXPECT_EQ(places("Y = " + repeated("-", 190) + "1"), "");
}

TEST(LogicRecovery, LongExpressionsAreRefused) {
  constexpr size_t kMany = fewer(100000);
  for (const char* part : {" + 1", " 2", " and b", " or c", " - X[i]", " / 3"}) {
    EXPECT_EQ(parsed("Y = 1" + repeated(part, kMany) + "\nZ = 1").tree, "(= Z 1)") << part;
    EXPECT_EQ(parsed("Y = 1" + repeated(part, 990)).places(), "") << part;
  }
  EXPECT_EQ(parsed("Y = X[1" + repeated("+1", kMany) + "]\nZ = 1").tree, "(= Z 1)");
  // chains inside chains: the tree stays low enough for what calls itself once a level
  std::string inner = "1";
  for (int i = 0; i < 100; ++i) inner = "(" + inner + repeated(" + 1", 500) + ")";
  EXPECT_EQ(parsed("Y = " + inner).diagnostics.size(), 1U);
  EXPECT_EQ(parsed("Y = [" + repeated("-0.5 + 1, ", kMany) + "1]").places(), "");
}

TEST(LogicRecovery, LongLinesHaveShortMessages) {
  const std::string name(fewer(50 << 20), 'x');
  const Parsed got = parsed("A = 1; B = " + name + " ) ; C = 2");
  ASSERT_EQ(got.diagnostics.size(), 1U);
  EXPECT_LT(text_of(got.diagnostics[0]).size(), 400U);
  EXPECT_EQ(got.places(), "1:" + std::to_string(name.size() + 13) + " E0002");
  EXPECT_TRUE(got.tree == "(= A 1) (= C 2)");
  for (const char* part : {"$ ", ");", "}", "é", "\"\n", "a;", "\n", "1 +"}) {
    const Parsed many = parsed(repeated(part, fewer(1 << 18)));
    EXPECT_LE(many.diagnostics.size(), 100U) << part;
    for (const LocatedDiagnostic& d : many.diagnostics) EXPECT_LT(text_of(d).size(), 600U) << part;
  }
}

TEST(LogicRecovery, WhatIsNoText) {
  EXPECT_EQ(places(std::string_view("A = 1\nB\0C", 9)), "2:2 E0001");
  EXPECT_EQ(places("A = \"\xFF\"\nB = 1"), "1:5 E0001");
  EXPECT_EQ(places("A\xC3 = 1\nB = 1"), "1:2 E0001");
  EXPECT_EQ(places("# \xFF\nB = 1"), "");
  EXPECT_EQ(places("A = \xE2\x80\x9Cquoted\xE2\x80\x9D"), "1:5 E0001, 1:12 E0001");
  EXPECT_EQ(places("A = b \xE2\x88\x92 c"), "1:7 E0001");  // a minus sign that is not "-"
  EXPECT_EQ(places("A\xC2\xA0= 1"), "1:2 E0001");          // a space that does not break
  EXPECT_EQ(places("A = 1 /* open\nB = 2"), "1:7 E0001");
}

TEST(LogicRecovery, TheErrorOfAProgram) {
  Sources sources;
  Diagnostics diagnostics(sources);
  const uint32_t file = sources.add({"a b.tl", "A = )\nB = )"});
  (void)parse(sources, file, diagnostics);
  const std::string message = message_of(Code::parse, [&] { diagnostics.check(); });
  EXPECT_EQ(message, "a b.tl:1:5: error[E0002]: expected an expression, found ')'");
}

TEST(LogicRecovery, ProgramsOfTheTests) {
  const char* folder = "tests/logic/programs";  // tests run in the root of the checkout
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".tl") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(places(text), "") << entry.path();
  }
}

}  // namespace
}  // namespace gyre::logic
