#include <gtest/gtest.h>

#include <string>

#include "tests/logic_tree.h"

// Every rule of docs/logic/grammar.ebnf has programs that the parser accepts, with their trees, and
// programs that it refuses.

namespace gyre::logic {
namespace {

struct Accepted {
  const char *program, *tree;
};

void expect_trees(std::initializer_list<Accepted> programs) {
  for (const Accepted& p : programs) {
    const Parsed got = parsed(p.program);
    EXPECT_EQ(got.places(), "") << p.program;
    EXPECT_EQ(got.tree, p.tree) << p.program;
  }
}
void expect_refused(std::initializer_list<const char*> programs) {
  for (const char* program : programs) {
    const Parsed got = parsed(program);
    EXPECT_EQ(got.diagnostics.size(), 1U) << program << ": " << got.places();
    EXPECT_TRUE(got.has_errors) << program;
  }
}

TEST(LogicGrammar, Program) {
  expect_trees({{"", ""},
                {"\n\n;;\n", ""},
                {"A = 1; B = 2\nC = 3", "(= A 1) (= B 2) (= C 3)"},
                {"# one\n// two\nA = /* three\n */ 1", "(= A 1)"},
                {"\xEF\xBB\xBF"
                 "A = 1",
                 "(= A 1)"},
                {"A = 1\r\nB = 2\r\n", "(= A 1) (= B 2)"}});
  expect_refused({"A = 1 B(x, y)?", "}", "main { A = 1 } B = 2", "= 3", ")", "3", "where = 3"});
}

TEST(LogicGrammar, PragmaAndImport) {
  expect_trees({{"pragma prolog_vars", "(pragma prolog_vars \"\")"},
                {"pragma dtype f16", "(pragma dtype \"f16\")"},
                {"pragma seed -7", "(pragma seed \"-7\")"},
                {"import \"a.tl\"", "(import \"a.tl\")"}});
  expect_refused({"pragma dtype f16 f32", "pragma seed - x", "pragma seed (", "import a",
                  "import 3", "import \"a\" b"});
}

TEST(LogicGrammar, Domain) {
  expect_trees({{"domain P", "(domain P)"},
                {"entity P", "(domain P)"},
                {"domain N = 10", "(domain N size 10)"},
                {"domain P = {A, \"New York\", 007}", "(domain P A \"New York\" 7)"},
                {"domain P = {\n  A,\n  B\n}", "(domain P A B)"},
                {"domain = 3", "(= domain 3)"}});
  expect_refused({"domain P = {}", "domain P = {A,}", "domain P = {A B}", "domain P = A",
                  "domain P = {A", "domain P = 99999999999999999999", "domain P = {and}"});
}

TEST(LogicGrammar, Constant) {
  expect_trees(
      {{"const N = 4", "(const N 4)"}, {"const N = 2*(M+1)%3", "(const N (% (* 2 (+ M 1)) 3))"}});
  expect_refused({"const N", "const N = 1.5", "const N = -1", "const N = f(2)", "const N 3"});
}

TEST(LogicGrammar, Tensor) {
  expect_trees(
      {{"tensor T[]", "(tensor T )"},
       {"tensor T: f32[n: P, 3, ?, M]", "(tensor T f32 (dim n: P) (dim 3) (dim ?) (dim M))"},
       {"tensor T[2] learnable = xavier(gain=2, seed=1)",
        "(tensor T  (dim 2) learnable (init xavier gain= 2 seed= 1))"},
       {"tensor T[2] frozen = zeros", "(tensor T  (dim 2) (init zeros))"},
       {"tensor T[2] = [1, -2]", "(tensor T  (dim 2) (init (array 1 (- 2))))"},
       {"tensor T[2] =\n  [1,\n2]", "(tensor T  (dim 2) (init (array 1 2)))"}});
  expect_refused({"tensor T", "tensor T[3", "tensor T[x:]", "tensor T[-1]", "tensor T[2,]",
                  "tensor T(2)", "tensor T[2] learnable frozen", "tensor T[2] = ",
                  "tensor T[2] = he(1)", "tensor T[2] = he(gain=)", "tensor T:[2]"});
}

TEST(LogicGrammar, Relation) {
  expect_trees({{"relation R(x: P, Q)", "(relation R (dim x: P) (dim Q))"},
                {"relation R(P) embed f32[64]", "(relation R (dim P) f32 64)"}});
  expect_refused({"relation R", "relation R()", "relation R[P]", "relation R(P) embed f32",
                  "relation R(P) embed f32[0]", "relation R(P,)", "relation r(P)"});
}

TEST(LogicGrammar, Embedding) {
  expect_trees(
      {{"embedding E {entities: P, dimension: 64, init: unit}", "(embedding E P 64 (init unit))"},
       {"embedding E {\n  entities: {A, B}\n  dimension: 2\n  init: random(low=-1)\n}",
        "(embedding E  A B 2 (init random low= -1))"}});
  expect_refused({"embedding E", "embedding E {}", "embedding E {entities: P}",
                  "embedding E {dimension: 3}", "embedding E {entities: P, dimension: 0}",
                  "embedding E {entities: P dimension: 3}",
                  "embedding E {entities: P, entities: P, dimension: 3}", "embedding E {width: 3}",
                  "embedding E {entities: P, dimension: 3"});
}

TEST(LogicGrammar, Function) {
  expect_trees({{"fn f() = 1", "(fn f ->  1 (do))"},
                {"fn f(a, b) = a b", "(fn f a b ->  (. a b) (do))"},
                {"fn f(a) -> f32 {\n  return a\n}", "(fn f a -> f32 (do (return a)))"},
                {"fn f(a) { A = a; return A }", "(fn f a ->  (do (= A a) (return A)))"}});
  expect_refused({"fn f", "fn f(a", "fn f(a,) = 1", "fn f(1) = 1", "fn f(a)", "fn f(a) -> {}",
                  "fn f(a) -> f32 = a"});
}

TEST(LogicGrammar, Equation) {
  expect_trees({{"Y = X", "(= Y X)"},
                {"Y[i] += W[i] X[i]", "(+= Y[i] (. W[i] X[i]))"},
                {"Y *= 2", "(*= Y 2)"},
                {"Y max= X[i]", "(max= Y X[i])"},
                {"D[x, y] min= W[x, y]", "(min= D[x,y] W[x,y])"},
                {"A[i] avg= Z[i, j] where i < j and not i == 0",
                 "(avg= A[i] Z[i,j] where (and (< i j) (not (== i 0))))"},
                {"R(x, y) = S(y, x)", "(= R(x,y) S(y,x))"},
                {"max = 3", "(= max 3)"},
                {"Y =\n X +\n Z", "(= Y (+ X Z))"}});
  expect_refused({"Y", "Y X = 3", "Y =", "Y max = X[i]", "Y = X where", "Y = where x > 2",
                  "f(x) = 3", "Y[i] 3", "Y == 3", "Y -= 3"});
}

TEST(LogicGrammar, FactAndRule) {
  expect_trees({{"R(A, \"b c\", 3)", "(fact R A \"b c\" 3)"},
                {"R(9007199254740993, 007)", "(fact R 9007199254740993 7)"},
                {"A(x, z) <- A(x, y), P(y, z)", "(rule A(x,z) A(x,y) P(y,z))"},
                {"A(x) :- P(x), x != 3", "(rule A(x) P(x) (!= x 3))"},
                {"A(x) ← not P(x), !Q(x), ¬R(x)", "(rule A(x) not P(x) not Q(x) not R(x))"},
                {"Big(x) <-\n  P(x),\n  K[x] >= 2", "(rule Big(x) P(x) (>= K[x] 2))"}});
  expect_refused({"R(1 + 2)", "R(1.5)", "R()", "r(a)", "R(A,)", "R(*t)", "R(a:b)",
                  "R(99999999999999999999)", "A(x) <-", "A(x) <- P(x),", "A[x] <- P(x)",
                  "A(x) <- p(x)", "A(x) <- (P(x))", "A(x) <- not K[x]", "A(x) <- not x > 2",
                  "a(x) <- P(x)", "A(x) <- P(x) Q(x)"});
}

TEST(LogicGrammar, Query) {
  expect_trees({{"Y?", "(query Y)"},
                {"R(A, x)?", "(query R(A,x))"},
                {"(A + B[0, :])?", "(query (group (+ A B[0,_ _ slice])))"},
                {"R(x)? where x > 2 @why @embedded(T=0.5, cleanup=true)",
                 "(query R(x) where (> x 2) @why @embedded T= 0.5 cleanup= true)"},
                {"R(x)?@forward", "(query R(x) @forward)"},
                {"Y? where A @(B) > 2", "(query Y where (> (* A (group B)) 2))"},
                {"Y = A @\n B", "(= Y (* A B))"},
                {"Y? where A @ B > 2", "(query Y where (> (* A B) 2))"}});
  expect_refused({"Y??", "A + B?", "(A) + B?", "(A)", "Y? where", "Y? @", "Y? @ why",
                  "Y? @why@forward", "Y? @why(", "Y? @3", "?", "r(x)?"});
}

TEST(LogicGrammar, Files) {
  expect_trees({{"T = \"a.npy\"", "(read T \"a.npy\")"},
                {"T =\n  \"a.npy\"", "(read T \"a.npy\")"},
                {"R(x, y) = \"r.csv\"", "(read R(x,y) \"r.csv\")"},
                {"\"a.npy\" = T", "(write \"a.npy\" T)"}});
  expect_refused(
      {"\"a.npy\"", "\"a.npy\" = 3", "T += \"a.npy\"", "T = \"a\" + \"b\"", "\"a\" <- T"});
}

TEST(LogicGrammar, Learn) {
  expect_trees({{"learn { objective: L, optimizer: sgd(lr=0.1), epochs: 10 }",
                 "(learn (do) L sgd lr= 0.10000000000000001 10)"},
                {"learn {\n  L = w^2\n  objective: L\n  optimizer: adam(lr: 1)\n  epochs: 5\n"
                 "  scheduler: cosine(warmup=2), params: w, v\n}",
                 "(learn (do (= L (^ w 2))) L adam lr= 1 5 cosine warmup= 2 w v)"}});
  expect_refused({"learn", "learn {", "learn {}", "learn { optimizer: sgd(), epochs: 1 }",
                  "learn { objective: L, epochs: 1 }", "learn { objective: L, optimizer: sgd() }",
                  "learn { objective: L, optimizer: sgd(), epochs: 0 }",
                  "learn { objective: L, optimizer: sgd(), epochs: x }",
                  "learn { objective: L objective: M, optimizer: sgd(), epochs: 1 }",
                  "learn { objective: L, objective: M, optimizer: sgd(), epochs: 1 }",
                  "learn { objective: L, optimizer: sgd(), epochs: 1, rate: 3 }",
                  "learn { domain P; objective: L, optimizer: sgd(), epochs: 1 }",
                  "learn { R(A); objective: L, optimizer: sgd(), epochs: 1 }"});
}

TEST(LogicGrammar, Indices) {
  expect_trees(
      {{"Y = X[i, t+1, x/S-1, 2*(i+j)%3]", "(= Y X[i,(+ t 1),(- (/ x S) 1),(% (* 2 (+ i j)) 3)])"},
       {"X[i, *t+1] = X[i, *t]", "(= X[i,virtual (+ t 1)] X[i,virtual t])"},
       {"C[p, p'.] = X[p', 0.]", "(= C[p,p' marked] X[p',0 marked])"},
       {"Y = X[:, a:b, 1:, :n]", "(= Y X[_ _ slice,a b slice,1 _ slice,_ n slice])"},
       {"Y = R(\"New\\tYork\", x)", "(= Y R(\"New\\tYork\",x))"}});
  expect_refused({"Y = X[]", "Y = X[i", "Y = X[i,]", "Y = X[-1]", "Y = X[1.5]", "Y = X[**t]",
                  "Y = X[*:]", "Y = X[*a:b]", "Y = X[a:b:c]", "Y = X[f(i)]", "Y = X[i)",
                  "Y = X[\"a\"+1]", "Y = X[99999999999999999999]", "Y = X[i..]", "Y = X[not]"});
}

TEST(LogicGrammar, Precedence) {
  expect_trees({{"Y = a + b c - d", "(= Y (- (+ a (. b c)) d))"},
                {"Y = a / b c", "(= Y (. (/ a b) c))"},
                {"Y = a * b % c @ d", "(= Y (* (% (* a b) c) d))"},
                {"Y = -a^-b^2", "(= Y (- (^ a (- (^ b 2)))))"},
                {"Y = a ** 2", "(= Y (^ a 2))"},
                {"Y = - -a", "(= Y (- (- a)))"},
                {"Y = 2x", "(= Y (. 2 x))"},
                {"Y = a - b", "(= Y (- a b))"},
                {"Y = a or b and not c == d + 1", "(= Y (or a (and b (not (== c (+ d 1))))))"},
                {"Y = !a or ¬b", "(= Y (or (not a) (not b)))"},
                {"Y = (a + b) c", "(= Y (. (group (+ a b)) c))"},
                {"Y = A@B", "(= Y (* A B))"}});
  expect_refused({"Y = a +", "Y = * a", "Y = a < b < c", "Y = a and", "Y = or b", "Y = a not b",
                  "Y = ()", "Y = (a", "Y = a)", "Y = a ^", "Y = a == ", "Y = A @B"});
}

TEST(LogicGrammar, Primaries) {
  expect_trees({{"Y = 1.5e-3 true false", "(= Y (. (. 0.0015 true) false))"},
                {"Y = f() g(a, b, low=0, mode=\"x\", p=q, on=true, d=-1.5)",
                 "(= Y (. (call f) (call g a b low= 0 mode= \"x\" p= \"q\" on= true d= -1.5)))"},
                {"Y = F(x) f (x)", "(= Y (. (. F(x) f) (group x)))"},
                {"Y = sum[i, j](X[i, j]) max", "(= Y (. (sum[i,j] X[i,j]) max))"},
                {"Y = max(a, b)", "(= Y (call max a b))"},
                {"Y = sum [1]", "(= Y (. sum (array 1)))"},
                {"Y = [[1, 2], []]", "(= Y (array (array 1 2) (array)))"}});
  expect_refused({"Y = f(a,)", "Y = f(,)", "Y = f(low=0, a)", "Y = f(a", "Y = f(low=)",
                  "Y = f(low=-x)", "Y = sum[](x)", "Y = sum[i+1](x)", "Y = sum[0](x)", "Y = sum[i]",
                  "Y = sum[i](x, y)", "Y = [1,]", "Y = [1", "Y = [1 2", "Y = \"a\" 2"});
}

TEST(LogicGrammar, Scripts) {
  expect_trees({{"main {}", "(main  (do))"},
                {"test a { assert(x == 1, y) }", "(test a (do (assert (== x 1) y)))"},
                {"bench b {\n  loop { break }\n}", "(bench b (do (loop (do (break)))))"},
                {"let a = 3\na := a + 1", "(let a 3) (:= a (+ a 1))"},
                {"if a > 1 { print(a) } else if b { return } else { return b }",
                 "(if (> a 1) (do (print a)) (do (if b (do (return)) (do (return b)))))"},
                {"if a {\n}\n\nelse {\n}\nY = 1", "(if a (do) (do)) (= Y 1)"},
                {"if a {\n}\nY = 1", "(if a (do) (do)) (= Y 1)"},
                {"for x in P { print(x) }", "(for x P (do (print x)))"},
                {"for i in 0..N-1 { A := i }", "(for i  0 (- N 1) (do (:= A i)))"},
                {"while x < 3 { x := x + 1; }", "(loop (< x 3) (do (:= x (+ x 1))))"},
                {"loop = 3; print?; main[i] = 2", "(= loop 3) (query print) (= main[i] 2)"}});
  expect_refused({"main",     "main {",      "test { }",        "bench 3 {}",
                  "let a",    "let a = ",    "let a[i] = 3",    "a[i] := 3",
                  "if { }",   "if a b",      "if a {} else",    "if a {} else A = 3",
                  "for x {}", "for in P {}", "for i in 0.. {}", "for i of P {}",
                  "while {}", "loop",        "break 3",         "print x",
                  "print()",  "assert(a",    "else {}"});
}

TEST(LogicGrammar, QueriesAlone) {
  auto tree = [](const char* text) {
    Sources sources;
    Diagnostics diagnostics(sources);
    const uint32_t file = sources.add({"query", text});
    std::optional<Statement> query = parse_query(sources, file, diagnostics);
    EXPECT_EQ(query.has_value(), !diagnostics.has_errors());
    return query ? TreeText::of(Body{*query}) : "refused";
  };
  EXPECT_EQ(tree("Ancestor(Alice, x)"), "(query Ancestor(Alice,x))");
  EXPECT_EQ(tree("Ancestor(\"Who?\", x)\n\n"), "(query Ancestor(\"Who?\",x))");
  EXPECT_EQ(tree("Y? @why"), "(query Y @why)");
  EXPECT_EQ(tree("(A + B)"), "(query (group (+ A B)))");
  EXPECT_EQ(tree(""), "refused");
  EXPECT_EQ(tree("A = 3"), "refused");
  EXPECT_EQ(tree("A?; B?"), "refused");
  EXPECT_EQ(tree("A +"), "refused");
}

}  // namespace
}  // namespace gyre::logic
