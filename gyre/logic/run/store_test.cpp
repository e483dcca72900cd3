#include "gyre/logic/run/store.h"

#include <gtest/gtest.h>

#include "gyre/base/system/memory.h"
#include "gyre/ops/create/create.h"
#include "tests/fewer.h"
#include "tests/logic_programs.h"

namespace gyre::logic {
namespace {

using Numbers = std::vector<double>;

Numbers values(Program& p, const char* name) { return to_vector<double>(p.tensor(name)); }

constexpr const char* kZeroByZero =
    "tensor A[x: 2, y: 2] = [[1, 2], [3, 4]]\ntensor Z[x: 2] = [0, 0]\nD[x, y] min= A[x, y]\n"
    "D[x, y] min= D[y, x] + Z[x] / Z[y]\n";
constexpr const char* kOpFails =
    "tensor A[x: 2] = [1, 2]\nD[x] min= A[x]\nD[x] min= cumsum(D[x], axis=7)\n";
constexpr const char* kOverflow =
    "pragma dtype f16\ntensor A[x: 2] = [1, 1]\ntensor W[x: 2, y: 2] = [[1000, 1], [1, 1000]]\n"
    "D[x] max= A[x]\nD[y] max= D[x] W[x, y]\n";
constexpr const char* kNoFixpoint =
    "tensor A[x: 2] = [1, 1]\nD[x] max= A[x]\nD[x] max= D[x] + A[x]\n";
constexpr const char* kExtremes =
    "tensor A[x: 2] = [1, 5]\nD[x] max= A[x]\nD[x] max= D[y] + 0 A[x]\n";
constexpr const char* kOrdered = "tensor A[t: 3] = [1, 2, 3]\ntensor D[t: 4]\nD[t+1] = D[t] + A[t]";
constexpr const char* kRules =
    "domain N = 4\nrelation E(x: N, y: N)\nE(0, 1); E(1, 2); E(2, 3)\nD(x, y) <- E(x, y)\n"
    "D(x, z) <- D(x, y), E(y, z)\n";

TEST(LogicStore, WhatFailedFailsAgain) {
  const std::atomic<bool> stop = true;
  struct Case {
    const char* text;
    ProgramOptions options;
    const char* code;
  };
  std::vector<Case> cases{{kOpFails, {}, "R06"},
                          {kZeroByZero, {}, "R01"},
                          {kOverflow, {.check_overflow = true}, "R07"},
                          {kNoFixpoint, {}, "E0304"},
                          {kRules, {.max_tuples = 1}, "R02"}};
  for (const char* text : {kExtremes, kOrdered, kRules}) {
    cases.push_back({text, {.max_seconds = -1}, "R04"});
    cases.push_back({text, {.stop = &stop}, "stopped"});
  }
  for (const Case& c : cases) {
    Program p = program(c.text, c.options);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(code_of([&] { p.tensor("D"); }), c.code) << i << c.text;
  }
}

TEST(LogicStore, WhatWasStoppedIsComputedLater) {
  for (const char* text : {kExtremes, kOrdered, kRules}) {
    std::atomic<bool> stop = true;
    Program p = program(text, {.stop = &stop}), whole = program(text);
    EXPECT_EQ(code_of([&] { p.tensor("D"); }), "stopped") << text;
    stop = false;
    EXPECT_EQ(values(p, "D"), values(whole, "D")) << text;
  }
}

TEST(LogicStore, StoppedGrowthIsComputedLater) {
  std::atomic<bool> stop = false;
  Program p = program(kRules, {.stop = &stop});
  EXPECT_EQ(p.query("D(x, y)?").rows.size(), 6U);
  stop = true;
  EXPECT_EQ(code_of([&] { p.add({"E", 2, {{"3"}, {"0"}}}); }), "stopped");
  stop = false;
  EXPECT_EQ(p.query("D(x, y)?").rows.size(), 16U);
}

TEST(LogicStore, ResultsHaveTheDeclaredType) {
  for (const char* text :
       {"tensor D: f32[n: 4]\nD[0] = 1\nD[n+1] = D[n] / 3",
        "tensor D: f32[n: 4] = [1, 0, 0, 0]\nD[n+1] = D[n] / 3",
        "tensor D: f32[t: 1]\ntensor A[t: 3] = [1, 2, 3]\nD[*t+1] = D[*t] + A[t]",
        "tensor D: f32[x: 2]\ntensor A[x: 2] = [1, 2]\nD[x] min= A[x]\nD[x] min= D[y] + A[x]",
        "tensor D: f32[x: 2]\ntensor A[x: 2] = [1, 2]\nD[x] = A[x] / 3", "tensor D: f32[x: 2]"})
    EXPECT_EQ(program(text).tensor("D").dtype(), DType::f32) << text;
}

TEST(LogicStore, StepsOfARecursionAreRoundedToTheDeclaredType) {
  Program p = program("tensor D: bf16[n: 3]\nD[0] = 1\nD[n+1] = D[n] + 0.001");
  EXPECT_EQ(values(p, "D"), (Numbers{1, 1, 1}));
}

TEST(LogicStore, InitialValuesFollowWhatTheyRead) {
  Program p = program("Y[i] = 2 X[i]\ntensor Z[i: 2] = Y[i] + 1", {},
                      {.tensors = {{"X", tensor<double>({1, 2}, {2})}}});
  EXPECT_EQ(values(p, "Z"), (Numbers{3, 5}));
  p.bind("X", tensor<double>({5, 6}, {2}));
  EXPECT_EQ(values(p, "Z"), (Numbers{11, 13}));
}

TEST(LogicStore, RecursionOfLearnableInitialValuesHasGradients) {
  Program p = program(
      "tensor X[n: 4] learnable = [1, 0, 0, 0]\nY[n] = Y[n - 1] + X[n]\nF = Y[n]\n"
      "G[n] = grad(F, X[n])\ntensor S[n: 4] learnable = [3, 0, 0, 0]\ntensor B[n: 4] = [1, 1, 1, 1]"
      "\nS[n+1] = 2 S[n] + B[n]\n");
  EXPECT_EQ(values(p, "G"), (Numbers{4, 3, 2, 1}));
  const Tensor s = p.tensor("S");
  EXPECT_EQ(to_vector<double>(s), (Numbers{3, 7, 15, 31}));
  EXPECT_TRUE(s.tracked());
}

TEST(LogicStore, InitialValuesOfRecursionsAreLearned) {
  // S is s, 2 s, 4 s: the loss 21 s^2 has the derivative 42 s
  Program p = program(
      "tensor S[n: 3] learnable = [1, 0, 0]\nS[n+1] = 2 S[n]\nL = S[n]^2\n"
      "learn { objective: L, optimizer: sgd(lr=0.01), epochs: 1 }\n");
  p.run();
  const Numbers s = values(p, "S");
  EXPECT_NEAR(s[0], 1 - 0.42, 1e-12);
  EXPECT_NEAR(s[1], 2 * s[0] - 0.2, 1e-12);  // S[1] has an initial value of its own
}

// A recursion of two tensors with lags, all steps of which are kept.
std::string lagging(int64_t a, int64_t b, const char* mark) {
  const auto size = [&](int64_t lag) { return *mark ? "1" : std::to_string(5 + lag); };
  const auto at = [&](int64_t offset) {
    return mark + (offset < 0 ? "t-1" : "t+" + std::to_string(offset));
  };
  return "tensor In[t: 5] = [1, 2, 3, 5, 8]\ntensor A[t: " + size(a) + "]\ntensor B[t: " + size(b) +
         "]\nA[" + at(a) + "] = A[" + at(0) + "] + B[" + at(a - 1) + "] + In[t]\nB[" + at(b) +
         "] = A[" + at(0) + "] + 0.5 B[" + at(b - 1) + "] + In[t]\n";
}

TEST(LogicStore, VirtualIndicesGiveTheLastStep) {
  for (int64_t a = 1; a <= 3; ++a) {
    for (int64_t b = 0; b <= 2; ++b) {
      Program all = program(lagging(a, b, "")), last = program(lagging(a, b, "*"));
      for (const char* name : {"A", "B"}) {
        EXPECT_EQ(values(last, name), Numbers{values(all, name).back()}) << name << a << b;
      }
    }
  }
}

TEST(LogicStore, ManyStepsOfAVirtualIndexKeepFewSlices) {
  Program p = program(
      "tensor In[t: 2000] = ones\ntensor A[i: 10000, t: 1]\ntensor B[i: 10000, t: 1]\n"
      "A[i, *t+1] = B[i, *t] + In[t]\nB[i, *t] = A[i, *t]\n");
  reset_peak_resident();
  const size_t before = peak_resident_bytes();
  EXPECT_EQ(values(p, "B")[9999], 2000);
  EXPECT_LT(peak_resident_bytes() - before, size_t{64} << 20);  // all of one tensor have 160 MB
}

TEST(LogicStore, AnotherReadingOfAnEmbeddingIsThatOfOneQuery) {
  Program p = program(
      "domain P = {A, B, C}\nembedding E {entities: P, dimension: 8, init: orthonormal}\n"
      "relation R(x: P, y: P) embed f64[8]\nrelation S(x: P, y: P) embed f64[8]\nR(A, B)\n"
      "S(x, y) <- R(x, y)\n");
  EXPECT_EQ(p.query("S(x, y)? @embedded(threshold=1.5)").rows.size(), 0U);
  EXPECT_EQ(p.query("R(x, y)?").rows.size(), 1U);
  EXPECT_EQ(p.query("S(x, y)?").rows.size(), 1U);
}

std::string chain(const std::string& first, int length) {
  std::string text = first + "\n";
  for (int i = 1; i < length; ++i)
    text += "T" + std::to_string(i) + " = T" + std::to_string(i - 1) + " + 1\n";
  return text;
}

TEST(LogicStore, LongChainsOfEquations) {
  Program p = program(chain("T0 = 1", 20000));
  EXPECT_EQ(p.tensor("T19999").item(), 20000);
  Program learnable = program(chain("tensor T0[] learnable = 1", 20000) + "G = grad(T19999^2, T0)");
  EXPECT_EQ(learnable.tensor("G").item(), 40000);
}

TEST(LogicStore, LongChainsOfInitialValuesAndRules) {
  std::string initial = "tensor T0[] = 1\n", rules = "domain N = 2\nrelation R0(x: N)\nR0(1)\n";
  constexpr int kMany = fewer(5000);
  for (int i = 1; i < kMany; ++i) {
    const std::string to = std::to_string(i), from = std::to_string(i - 1);
    initial += "tensor T" + to + "[] = T" + from + " + 1\n";
    rules += "R" + to + "(x) <- R" + from + "(x)\n";
  }
  const std::string last = std::to_string(kMany - 1);
  EXPECT_EQ(program(initial).tensor("T" + last).item(), kMany);
  EXPECT_EQ(values(*std::make_unique<Program>(program(rules)), ("R" + last).c_str()),
            (Numbers{0, 1}));
}

TEST(LogicStore, ReboundEmbeddingsAreReadAnew) {
  Program p = program(
      "domain P = {Ann, Bob, Cid}\nrelation Parent(x: P, y: P) embed f32[4]\nParent(Ann, Bob)\n"
      "embedding E { entities: P, dimension: 4, init: orthonormal }\nOld(x) <- Parent(x, y)\n");
  EXPECT_EQ(p.query("Parent(x, y)?").rows.size(), 1U);
  EXPECT_EQ(p.query("Old(x)?").rows.size(), 1U);
  p.bind("E", zeros_like(p.tensor("E")));
  EXPECT_EQ(p.query("Parent(x, y)?").rows.size(), 0U);
  EXPECT_EQ(p.query("Old(x)?").rows.size(), 0U);
}

}  // namespace
}  // namespace gyre::logic
