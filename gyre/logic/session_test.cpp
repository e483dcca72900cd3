#include "gyre/logic/session.h"

#include <gtest/gtest.h>

#include <atomic>

#include "gyre/ops/create/create.h"
#include "gyre/registry/op_table.h"
#include "gyre/registry/optimizer_table.h"

namespace gyre::logic {
namespace {

Session session(const ProgramOptions& options = {}) {
  return {op_table(), optimizer_table(), options};
}

// The answers as text: "a b; c d", "true", "1 2".
std::string answers(const std::vector<Answer>& all) {
  std::string text;
  for (const Answer& a : all) {
    text += text.empty() ? "" : " | ";
    if (a.kind == Answer::boolean) text += a.holds ? "true" : "false";
    for (const auto& row : a.rows) {
      for (const Symbol& s : row) text += s.text + " ";
    }
    if (a.kind == Answer::loss_curve) text += "curve";
    if (a.kind != Answer::array) continue;
    for (const double v : to_vector<double>(a.values)) text += std::to_string(v).substr(0, 4) + " ";
  }
  return text;
}

std::string code_of(Session& s, const std::string& text) {
  try {
    (void)s.add(text);
  } catch (const ProgramError& e) {
    return name_of(e.diagnostics()[0].diagnostic.code);
  } catch (const Stopped&) {
    return "stopped";
  }
  return "";
}

TEST(LogicSession, StatementsContinueTheProgram) {
  Session s = session();
  EXPECT_EQ(answers(s.add("Parent(Ann, Bob); Parent(Bob, Cid)")), "");
  EXPECT_EQ(answers(s.add("Old(x) <- Parent(x, y)\nOld(x)?")), "Ann Bob ");
  EXPECT_EQ(answers(s.add("Parent(Cid, Dee)")), "");
  EXPECT_EQ(answers(s.add("Old(x)?")), "Ann Bob Cid ");
  EXPECT_EQ(answers(s.add("Parent(Ann, Dee)?; Old(Cid)?")), "false | true");
  EXPECT_EQ(
      s.text(),
      "Parent(Ann, Bob); Parent(Bob, Cid)\nOld(x) <- Parent(x, y)\nOld(x)?\nParent(Cid, Dee)\n");
}

TEST(LogicSession, ExpressionsAreQueries) {
  Session s = session();
  (void)s.add("X = [1, 2]");
  for (const char* text : {"X", "X?", "X // all", "X[i]", "(X[i])"})
    EXPECT_EQ(answers(s.add(text)), "1.00 2.00 ") << text;
  EXPECT_EQ(answers(s.add("X[i] + 1")), "2.00 3.00 ");
  EXPECT_EQ(answers(s.add("1 / 2")), "0.50 ");
  EXPECT_EQ(answers(s.add("// nothing")), "");
}

TEST(LogicSession, AFailedStatementChangesNothing) {
  Session s = session();
  (void)s.add("tensor w[i: 2] learnable = 1\nP(A)");
  const std::string before = s.text();
  EXPECT_EQ(code_of(s, "Y = )"), "E0002");
  EXPECT_EQ(code_of(s, "Y[i] = Z[i]"), "E0101");
  EXPECT_EQ(code_of(s, "Y = 1\nassert(1 == 2)"), "R05");
  EXPECT_EQ(code_of(s, "tensor P[i: 2]"), "E0104");
  EXPECT_EQ(code_of(s, "let a = 3; assert(a == 4)"), "R05");
  EXPECT_EQ(code_of(s, "for k in 0..3 { assert(k == 0) }"), "R05");
  EXPECT_EQ(
      code_of(s,
              "L = w[i]; learn { objective: L, optimizer: sgd(lr=1), epochs: 1 }; assert(0 == 1)"),
      "R05");
  EXPECT_EQ(s.text(), before);
  EXPECT_EQ(answers(s.add("w")), "1.00 1.00 ");
  EXPECT_EQ(code_of(s, "print(a)"), "E0101");
  EXPECT_EQ(code_of(s, "for k in 0..3 { assert(k == 1) }"), "R05");
  EXPECT_EQ(code_of(s, "let a = 1"), "");
  EXPECT_EQ(code_of(s, "Y = 1"), "");
}

TEST(LogicSession, KeepsWhatWasLearnedAndBound) {
  Session s = session();
  (void)s.add("tensor w[i: 2] learnable = 1\nL = w[i]");
  EXPECT_EQ(answers(s.add("learn { objective: L, optimizer: sgd(lr=1), epochs: 3 }")), "curve");
  EXPECT_EQ(answers(s.add("w")), "-2.0 -2.0 ");
  (void)s.add("let n = 3; let x = 0.5");
  (void)s.add("Q = 7");
  EXPECT_EQ(answers(s.add("w")), "-2.0 -2.0 ");
  EXPECT_EQ(code_of(s, "assert(n == 3 and x == 0.5)"), "");
  EXPECT_EQ(code_of(s, "learn { objective: L, optimizer: sgd(lr=1), epochs: 1 }; assert(0 == 1)"),
            "R05");
  EXPECT_EQ(answers(s.add("w?; Q?")), "-2.0 -2.0  | 7.00 ");
}

TEST(LogicSession, WarningsAreThoseOfTheLastStatement) {
  Session s = session();
  (void)s.add("tensor w[i: 2] learnable = zeros\nL = step(w[i]) + w[i]");
  EXPECT_EQ(s.warnings().size(), 0);
  (void)s.add("learn { objective: L, optimizer: sgd(lr=1), epochs: 1 }");
  ASSERT_EQ(s.warnings().size(), 1);
  EXPECT_EQ(s.warnings()[0].diagnostic.code, DiagnosticCode::W01);
  (void)s.add("Q = 7");
  EXPECT_EQ(s.warnings().size(), 0);
}

TEST(LogicSession, AnInterruptedStatementChangesNothing) {
  std::atomic<bool> stop = false;
  ProgramOptions options;
  options.stop = &stop;
  Session s = session(options);
  (void)s.add("A = 1");
  stop = true;
  EXPECT_EQ(code_of(s, "B = 2\nwhile 1 == 1 { }"), "stopped");
  EXPECT_EQ(code_of(s, "loop { }"), "stopped");
  stop = false;
  EXPECT_EQ(s.text(), "A = 1\n");
  EXPECT_EQ(answers(s.add("A")), "1.00 ");
}

TEST(LogicSession, WhatFailedFailsAgain) {
  Session s(op_table(), optimizer_table(), {});
  s.add(
      "tensor A[x: 2, y: 2] = [[1, 2], [3, 4]]\ntensor Z[x: 2]\nD[x, y] min= A[x, y]\n"
      "D[x, y] min= D[y, x] + Z[x] / Z[y]");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(code_of(s, "D?"), "R01") << i;
}

TEST(LogicSession, PlansNameTheirSteps) {
  Session s = session();
  (void)s.add("X = [1, 2]\nY[i] = 2 X[i]\nR(Ann)\nS(x) <- R(x)");
  for (const char* text : {"Y", "S", "Z[i] = X[i] X[i]", "T(x) <- S(x)", "(X[i] X[i])?"}) {
    const std::vector<StatementReport> plan = s.plan(text);
    ASSERT_EQ(plan.size(), 1) << text;
    EXPECT_EQ(plan[0].runs, 1) << text;
    EXPECT_FALSE(plan[0].plan.empty() && plan[0].result.empty()) << text;
  }
  EXPECT_TRUE(s.plan("X").empty());
  EXPECT_THROW((void)s.plan("let a = 1"), Error);
  EXPECT_THROW((void)s.plan("Z[i] = Q[i]"), ProgramError);
  EXPECT_EQ(code_of(s, "Z?"), "E0101");  // was not added
}

TEST(LogicSession, AnswersNameTheirAxes) {
  Session s = session();
  (void)s.add("domain P = {Ann, Bob}\ntensor W[row: P, k: 2] = [[1, 2], [3, 4]]");
  for (const char* text : {"W", "W[row, k]"}) {
    const std::vector<Answer> found = s.add(text);
    ASSERT_EQ(found[0].axes.size(), 2) << text;
    EXPECT_EQ(found[0].axes[0].name, "row");
    EXPECT_EQ(found[0].axes[0].symbols, (std::vector<std::string>{"Ann", "Bob"}));
    EXPECT_EQ(found[0].axes[1].name, "k");
    EXPECT_TRUE(found[0].axes[1].symbols.empty());
  }
}

TEST(LogicSession, CompleteTexts) {
  for (const char* text : {"", "A = 1", "A(x)?", "main { print(1) }", "A = [1,\n2]", "A = 1 // (",
                           "A = )", "\"(\" = A", "A = \"", "/* ( */ A = 1"})
    EXPECT_TRUE(is_complete(text)) << text;
  for (const char* text : {"A = ", "A = [1,", "main {", "main {\n print(1)", "A(x) <- ",
                           "A = 1 + // c", "A = 1 /* c", "A = 1 /*/", "A(x) <- B(x),"})
    EXPECT_FALSE(is_complete(text)) << text;
}

}  // namespace
}  // namespace gyre::logic
