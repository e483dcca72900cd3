#include "gyre/logic/syntax/format.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/logic_tree.h"
#include "tests/thrown.h"

namespace gyre::logic {
namespace {

std::string formatted(std::string_view text) {
  return format_program({"test.tl", std::string(text)});
}

// That a text formats so, that the tree stays, and that a second time changes nothing.
void expect_format(std::string_view text, std::string_view expected) {
  const std::string got = formatted(text);
  EXPECT_EQ(got, expected);
  EXPECT_EQ(parsed(got).tree, parsed(text).tree) << text;
  EXPECT_EQ(formatted(got), got);
}

TEST(LogicFormat, SpacesOfStatements) {
  expect_format("", "");
  expect_format("\n \n", "");
  expect_format("Y[i]=W[ i ]X [i]*2-  -3", "Y[i] = W[i] X [i] * 2 - -3\n");
  expect_format("Y   max=-X[i]", "Y max= -X[i]\n");
  expect_format("max=3;let min=4", "max = 3; let min = 4\n");
  expect_format("domain[i]max=3", "domain[i] max= 3\n");
  expect_format("L=(Y[e]-T[e]) ^ 2/N", "L = (Y[e] - T[e])^2 / N\n");
  expect_format("Y=a**-2+A@B", "Y = a**-2 + A @ B\n");
  expect_format("A(x,z)<-A(x,y),not P(y,z),x!=z,! Q(x)",
                "A(x, z) <- A(x, y), not P(y, z), x != z, !Q(x)\n");
  expect_format("A(x):-P(x)\nB(x)←P(x)", "A(x) :- P(x)\nB(x) ← P(x)\n");
  expect_format("R(x)  ?  where x>-2  @why @embedded( T = 0.5 )",
                "R(x)? where x > -2 @why @embedded(T=0.5)\n");
  expect_format("Y?@why", "Y? @why\n");
  expect_format("(A+B) ?", "(A + B)?\n");
  expect_format("Y = not(a and -b<c)or ¬ d", "Y = not (a and -b < c) or ¬d\n");
  expect_format("Y = 2x 3", "Y = 2 x 3\n");
  expect_format("T=\"a b\";\"c\"=T", "T = \"a b\"; \"c\" = T\n");
}

TEST(LogicFormat, SpacesOfIndices) {
  expect_format("X[i,* t + 1] = X[ i,*t ]", "X[i, *t+1] = X[i, *t]\n");
  expect_format("P[x / S,y/S] = F[x + dx , 2 * (y - 1) % 3]", "P[x/S, y/S] = F[x+dx, 2*(y-1)%3]\n");
  expect_format("C[p,p' .] = softmax(Q[p])where p'<=p",
                "C[p, p'.] = softmax(Q[p]) where p' <= p\n");
  expect_format("Y = X[ : ,a : b,1 :]", "Y = X[:, a:b, 1:]\n");
  expect_format("Y = sum[ i,j ]( X[i,j]+1 )", "Y = sum[i, j](X[i, j] + 1)\n");
}

TEST(LogicFormat, CallsAndBracketsKeepTheirMeaning) {
  expect_format("Y = f( x+1,low = -1,b : 2 ) f (x+1)", "Y = f(x + 1, low=-1, b: 2) f (x + 1)\n");
  expect_format("Y = F(x+1) F (x+1)", "Y = F(x+1) F (x + 1)\n");
  expect_format("Y = A[i] A [ 1,2 ]", "Y = A[i] A [1, 2]\n");
  expect_format("Y = (a)(b) (c)", "Y = (a)(b) (c)\n");
  expect_format("Y = f/* c */(x)", "Y = f /* c */ (x)\n");
}

TEST(LogicFormat, Declarations) {
  expect_format("tensor T : f32[ n:P,? ,m : ? ]learnable=xavier( gain = 2 )",
                "tensor T: f32[n: P, ?, m: ?] learnable = xavier(gain=2)\n");
  expect_format("relation R( x:P,Q )embed f32[ 64 ]", "relation R(x: P, Q) embed f32[64]\n");
  expect_format("domain P={ A,\"b\" , 3 }", "domain P = {A, \"b\", 3}\n");
  expect_format("const N=2*(M+1)", "const N = 2 * (M + 1)\n");
  expect_format("embedding E{entities:{A,B},dimension:2,init:unit}",
                "embedding E { entities: {A, B}, dimension: 2, init: unit }\n");
  expect_format("fn f(a,b)->f32{return a-b}", "fn f(a, b) -> f32 { return a - b }\n");
  expect_format("pragma  seed  -7", "pragma seed -7\n");
}

TEST(LogicFormat, Indentation) {
  expect_format("learn{\nobjective:L,\n  optimizer:adam(lr=0.05),\nepochs:4}",
                "learn {\n    objective: L,\n    optimizer: adam(lr=0.05),\n    epochs: 4 }\n");
  expect_format(
      "main{\nif a{\nprint(a)\n}else{\n}\nY=f(\n1,\n2\n)\n}",
      "main {\n    if a {\n        print(a)\n    } else {\n    }\n    Y = f(\n        1,\n"
      "        2\n    )\n}\n");
  expect_format("domain P = {\nA,\nB\n}", "domain P = {\n    A,\n    B\n}\n");
  expect_format("A(x) <-\nB(x),\nC(x)\nD(x) <- B(x)",
                "A(x) <-\n    B(x),\n    C(x)\nD(x) <- B(x)\n");
  expect_format("Y = a +\n# sum\nf([1,\n2])\nZ = 1",
                "Y = a +\n    # sum\n    f([1,\n        2])\nZ = 1\n");
  expect_format("for i in 0 .. N-1 {}\nwhile -a<b {break}",
                "for i in 0..N - 1 {}\nwhile -a < b { break }\n");
}

TEST(LogicFormat, LinesAndComments) {
  expect_format("\n\n\n# a  \r\n\n\n\nA=1//b\n\n", "# a\n\nA = 1  //b\n");
  expect_format("A = /* one */ 1 /* two */ ; B = 2", "A = /* one */ 1 /* two */; B = 2\n");
  expect_format("/* a  \n   b */ A = 1", "/* a\n   b */ A = 1\n");
  expect_format(
      "\xEF\xBB\xBF"
      "A = 1\r\nB = 2",
      "A = 1\nB = 2\n");
  expect_format("main {\n# in\n}\n  # out", "main {\n    # in\n}\n# out\n");
  expect_format("R(A); ;R(B);", "R(A);; R(B);\n");
}

TEST(LogicFormat, ProgramsWithErrorsAreRefused) {
  try {
    (void)formatted("A = )\nB = 1\nC = $");
    FAIL();
  } catch (const ProgramError& error) {
    EXPECT_EQ(error.diagnostics().size(), 2U);
  }
}

TEST(LogicFormat, FormattedProgramsOfTheTests) {
  const char* folder = "tests/logic/programs";  // tests run in the root of the checkout
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".tl") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    expect_format(text, formatted(text));
  }
}

}  // namespace
}  // namespace gyre::logic
