#include "gyre/logic/program.h"

#include <gtest/gtest.h>

#include <limits>

#include "gyre/base/system/memory.h"
#include "gyre/base/thread_pool.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/logic_programs.h"

namespace gyre::logic {
namespace {

constexpr const char* kMixed = R"(
domain P = 6
relation R(x: P, y: P)
relation Q(y: P, z: P)
R(0, 1); R(0, 2); R(1, 2); R(3, 3); R(5, 0)
Q(1, 4); Q(2, 4); Q(2, 5); Q(3, 0); Q(0, 0)
tensor V[y: P, k: 2] = [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]]
tensor W[y: P] = [1, 2, 4, 5, 8, 10]
Count[x] = R(x, y)
Paths[x, z] = R(x, y) Q(y, z)
Near[x, k] = R(x, y) V[y, k]
Part[x] = R(x, y) V[y, k] / W[y]
Loop = R(x, x)
Two = R(0, y) W[y] + Q(2, z) W[z]
)";

TEST(LogicProgram, SparseRelationsGiveWhatDenseOnesGive) {
  Program dense = program(kMixed), sparse = program(kMixed, {.dense_elements = 0});
  for (const char* name : {"Count", "Paths", "Near", "Part", "Loop", "Two"}) {
    const Tensor a = dense.tensor(name), b = sparse.tensor(name);
    ASSERT_EQ(a.shape(), b.shape()) << name;
    const std::vector<double> x = to_vector<double>(a), y = to_vector<double>(b);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_DOUBLE_EQ(x[i], y[i]) << name << " at " << i;
  }
}

TEST(LogicProgram, ARelationTooLargeForATensorIsRefused) {
  std::string text = "domain N = 100000\nrelation R(x: N, y: N)\nR(1, 2)\n";
  EXPECT_EQ(code_of([&] { program(text + "M[x] max= R(x, y)\n").tensor("M"); }), "R03");
  EXPECT_EQ(program(text + "S[x] = R(x, y)\n").tensor("S").shape(), Shape({100000}));
}

TEST(LogicProgram, StopsWhenAsked) {
  std::atomic<bool> stop = true;
  const ProgramOptions options{.stop = &stop};
  Program loops = program("main { loop { let x = 1 } }", options);
  EXPECT_EQ(code_of([&] { loops.run(); }), "stopped");
  Program learns = program(
      "tensor w[] learnable = 1\nL = w^2\nlearn { objective: L, optimizer: sgd(lr=0.1), epochs: "
      "1000000000 }",
      options);
  EXPECT_EQ(code_of([&] { learns.run(); }), "stopped");
}

TEST(LogicProgram, TensorsFromOutsideAreUsedInPlace) {
  const Tensor x = tensor<double>({1, 2, 3}, {3});
  Program p = program("Y = X[i]^2", {}, {.tensors = {{"X", x}}});
  EXPECT_EQ(p.tensor("X").bytes(), x.bytes());
  EXPECT_EQ(p.tensor("Y").item(), 14);
  p.bind("X", tensor<double>({1, 0, 0}, {3}));
  EXPECT_EQ(p.tensor("Y").item(), 1);
  EXPECT_THROW(p.bind("X", tensor<double>({1}, {1})), Error);
  EXPECT_THROW(p.bind("Y", x), Error);
  EXPECT_THROW(p.bind("Z", x), Error);
  EXPECT_THROW(p.add({"X", 1, {{"a"}}}), Error);
  EXPECT_THROW(p.add({"Z", 1, {{"a"}}}), Error);
  EXPECT_THROW((void)p.tensor("Z"), Error);
  EXPECT_THROW(p.run_block("test", "none"), Error);
}

constexpr const char* kPaths =
    "domain N = 60\nrelation E(x: N, y: N)\nP(x, y) <- E(x, y)\nP(x, z) <- P(x, y), E(y, z)\n"
    "Count = P(x, y)\nFar(x) <- P(0, x), not E(0, x)\n";

NamedTuples edges(int64_t from, int64_t to) {
  NamedTuples t{"E", 2};
  for (int64_t i = from; i < to; ++i) {
    t.symbols.push_back({std::to_string(i), true, false, {}});
    t.symbols.push_back({std::to_string(i + 1), true, false, {}});
  }
  return t;
}

TEST(LogicProgram, AddedTuplesContinueAFixpoint) {
  // A chain of 50 has 1,275 paths; its last edge adds 50, and the limit is of one evaluation.
  const ProgramOptions options{.max_tuples = 1300};
  Program p = program(kPaths, options, {.relations = {edges(0, 50)}});
  EXPECT_EQ(p.tensor("Count").item(), 1275);
  EXPECT_EQ(p.query("Far(x)?").rows.size(), 49U);
  p.add(edges(50, 51));
  EXPECT_EQ(p.tensor("Count").item(), 1326);
  EXPECT_EQ(p.query("Far(x)?").rows.size(), 50U);
  p.add(edges(50, 51));  // known
  EXPECT_EQ(p.tensor("Count").item(), 1326);
  p.forget();
  EXPECT_EQ(code_of([&] { p.tensor("Count"); }), "R02");
}

TEST(LogicProgram, ForgettingKeepsFacts) {
  Program p = program(kPaths, {}, {.relations = {edges(0, 50)}});
  EXPECT_EQ(p.tensor("Count").item(), 1275);
  p.forget();
  EXPECT_EQ(p.query("E(x, y)?").rows.size(), 50U);
  p.add(edges(50, 51));
  EXPECT_EQ(p.tensor("Count").item(), 1326);
  p.forget();
  EXPECT_EQ(p.tensor("Count").item(), 1326);
}

TEST(LogicProgram, ALimitOfAddedTuplesLeavesTheProgramUsable) {
  Program p = program(kPaths, {.max_tuples = 60}, {.relations = {edges(0, 10)}});
  EXPECT_EQ(p.tensor("Count").item(), 55);
  EXPECT_EQ(code_of([&] { p.add(edges(10, 30)); }), "R02");
  EXPECT_EQ(code_of([&] { p.tensor("Count"); }), "R02");
  EXPECT_EQ(p.query("E(x, y)?").rows.size(), 30U);
}

TEST(LogicProgram, AddedTuplesWithNewSymbolsGiveOtherShapes) {
  Program p = program(
      "relation E(x: P, y: P)\ndomain P\nE(a, b)\nT(x, y) <- E(x, y)\nT(x, z) <- T(x, y), T(y, z)\n"
      "Out[x] = T(x, y)\nAlone(x) <- E(x, y), not T(y, x)\n");
  EXPECT_EQ(p.tensor("Out").shape(), Shape({2}));
  EXPECT_EQ(p.query("Alone(x)?").rows.size(), 1U);
  p.add({"E", 2, {{"b"}, {"c"}}});
  EXPECT_EQ(to_vector<double>(p.tensor("Out")), (std::vector<double>{2, 1, 0}));
  EXPECT_EQ(p.tensor("T").shape(), Shape({3, 3}));
  EXPECT_EQ(p.query("Alone(x)?").rows.size(), 2U);
}

TEST(LogicProgram, ProofsAreOfLeastHeightUpToALimit) {
  const std::string rules = "R(x) <- Start(x)\nR(y) <- R(x), E(x, y)\nRound(x) <- not R(x)\n";
  const std::string domain = "domain N = 20002\nrelation E(x: N, y: N)\nrelation Start(x: N)\n";
  NamedTuples all = edges(0, 20000);
  for (const char* number : {"0", "300"}) all.symbols.push_back({number, true, false, {}});
  Program p = program(domain + "Start(0)\n" + rules, {}, {.relations = {all}});
  const Answer found = p.query("R(400)? @why");
  ASSERT_EQ(found.proofs.size(), 1U);
  EXPECT_EQ(found.proofs[0].height(), 102);
  EXPECT_EQ(found.proofs[0].because.at(1).atom, "E(399, 400)");
  EXPECT_EQ(p.query("Round(20001)? @why").proofs[0].because.at(0).atom, "not R(20001)");
  EXPECT_EQ(code_of([&] { p.query("R(20000)? @why"); }), "R02");
  // each proof has the one before twice
  Program twice = program("D(0)\nD(y) <- D(x), E(x, y), D(x)\n", {}, {.relations = {edges(0, 40)}});
  EXPECT_EQ(twice.query("D(5)? @why").proofs[0].height(), 5);
  EXPECT_EQ(code_of([&] { twice.query("D(40)? @why"); }), "R02");
}

TEST(LogicProgram, LayoutsOfRelationsChangeNothing) {
  for (const MatrixUse use : {MatrixUse::decide, MatrixUse::never, MatrixUse::always}) {
    Program p = program(kPaths, {.matrices = use}, {.relations = {edges(0, 50)}});
    EXPECT_EQ(p.tensor("Count").item(), 1275);
  }
}

TEST(LogicProgram, RandomInitialisersDependOnSeedAndName) {
  const auto values = [](const std::string& text, int64_t seed) {
    return to_vector<double>(program(text, {.seed = seed}).tensor("A"));
  };
  const std::string a = "tensor A[4, 4] = xavier()\n";
  EXPECT_EQ(values(a, 1), values("tensor B[4, 4] = he()\n" + a, 1));
  EXPECT_NE(values(a, 1), values(a, 2));
  EXPECT_EQ(values("tensor A[4, 4] = xavier(seed=3)", 1),
            values("tensor A[4, 4] = xavier(seed=3)", 2));
  for (const char* init :
       {"zeros", "ones", "random(low=-1, high=0)", "he", "orthonormal(gain=2)", "unit"}) {
    EXPECT_EQ(values("tensor A[4, 4] = " + std::string(init), 0).size(), 16U) << init;
  }
  EXPECT_EQ(code_of([] { program("tensor A[4] = xavier()").tensor("A"); }), "E0203");
  EXPECT_EQ(code_of([] { program("tensor A[4, 4] = xavier(low=1)").tensor("A"); }), "E0203");
}

constexpr double kNone = std::numeric_limits<double>::infinity();

// Weights of edges, of which a share is none.
Tensor drawn_weights(int64_t n, double share, int seed) {
  Generator generator(static_cast<uint64_t>(seed));
  const TensorOptions options{.dtype = DType::f64, .generator = &generator};
  const Tensor present = rand({n, n}, options) >= Tensor(share);
  return where(present, rand({n, n}, options) + Tensor(0.1), Tensor(kNone));
}

// Lengths of shortest paths of at least one edge (Floyd and Warshall).
std::vector<double> all_paths(const Tensor& weights) {
  std::vector<double> d = to_vector<double>(weights);
  const auto n = static_cast<size_t>(weights.size(0));
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j)
        d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
    }
  }
  return d;
}

TEST(LogicProgram, MinimaOfTwoFactorsNeedNoArrayOfCombinations) {
  const Tensor w = drawn_weights(1000, 0.5, 1);
  Program p = program("domain N = 1000\ntensor W[x: N, y: N]\nD[x, z] min= W[x, y] + W[y, z]", {},
                      {.tensors = {{"W", w}}});
  reset_peak_resident();
  const size_t before = peak_resident_bytes();
  const Tensor d = p.tensor("D");
  EXPECT_LT(peak_resident_bytes() - before, size_t{200} << 20);  // the array has 8 GB
  const std::vector<double> weights = to_vector<double>(w);
  for (const size_t i : {0, 500, 999}) {
    for (size_t j = 0; j < 1000; ++j) {
      double best = kNone;
      for (size_t k = 0; k < 1000; ++k)
        best = std::min(best, weights[i * 1000 + k] + weights[k * 1000 + j]);
      ASSERT_EQ(
          select(select(d, {0, static_cast<int64_t>(i)}), {0, static_cast<int64_t>(j)}).item(),
          best);
    }
  }
}

TEST(LogicProgram, ExtremaOfTwoFactorsAreThoseOfTheirCombinations) {
  Program p = program(R"(
tensor A[b: 2, i: 3, k: 4] = random(low=-1, high=1, seed=1)
tensor B[k: 4, b: 2, j: 5] = random(low=-1, high=1, seed=2)
LeastSum[j, b, i] min= A[b, i, k] + B[k, b, j]
MostSum[b, i, j] max= A[b, i, k] + B[k, b, j]
LeastProduct[i, j, b] min= A[b, i, k] B[k, b, j]
MostProduct[b, i, j] max= A[b, i, k] B[k, b, j]
Inner[b, i, j] = min[k](A[b, i, k] + B[k, b, j])
)");
  const Tensor a = reshape(p.tensor("A"), {2, 3, 4, 1}),
               b = unsqueeze(permute(p.tensor("B"), {1, 0, 2}), 1);
  const auto same = [&](const char* name, const Tensor& wanted) {
    EXPECT_EQ(to_vector<double>(p.tensor(name)), to_vector<double>(wanted)) << name;
  };
  same("LeastSum", permute(min(a + b, {{2}}), {2, 0, 1}));
  same("MostSum", max(a + b, {{2}}));
  same("LeastProduct", permute(min(a * b, {{2}}), {1, 2, 0}));
  same("MostProduct", max(a * b, {{2}}));
  same("Inner", min(a + b, {{2}}));
}

TEST(LogicProgram, ShortestPathsAreThoseOfRounds) {
  // sparse weights are solved as a whole, others round by round; both give the same lengths
  for (const double share : {0.3, 0.97}) {
    const Tensor w = drawn_weights(60, share, 2);
    const std::vector<double> wanted = all_paths(w);
    for (const char* rule : {"D[x, z] min= D[x, y] + W[y, z]", "D[x, z] min= W[x, y] + D[y, z]",
                             "D[x, z] min= W[y, z] + D[x, y]", "D[x, z] min= D[x, y] + D[y, z]"}) {
      Program p =
          program(std::string("domain N = 60\ntensor W[x: N, y: N]\nD[x, y] min= W[x, y]\n") + rule,
                  {}, {.tensors = {{"W", w}}});
      const std::vector<double> found = to_vector<double>(p.tensor("D"));
      for (size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i] == kNone)
          ASSERT_EQ(found[i], kNone) << rule;
        else
          ASSERT_NEAR(found[i], wanted[i], 1e-12) << rule;
      }
    }
  }
}

TEST(LogicProgram, CyclesOfNegativeWeightHaveNoShortestPaths) {
  Tensor w = full({30, 30}, kNone, {.dtype = DType::f64});
  w = scatter(reshape(w, {900}), 0, tensor(std::vector<int64_t>{1, 30}, {2}),
              tensor(std::vector<double>{1, -2}, {2}));
  Program p = program(
      "domain N = 30\ntensor W[x: N, y: N]\nD[x, y] min= W[x, y]\nD[x, z] min= D[x, y] + W[y, z]",
      {}, {.tensors = {{"W", reshape(w, {30, 30})}}});
  EXPECT_EQ(code_of([&] { p.tensor("D"); }), "E0304");
}

TEST(LogicProgram, GradientsOfShortestPathsCountTheirEdges) {
  constexpr const char* kText =
      "domain N = 5\ntensor W[x: N, y: N] learnable = random(low=1, high=2, seed={})\n"
      "D[x, y] min= W[x, y]\nD[x, z] min= D[x, y] + W[y, z]\nF = D[x, y]^2\nG[x, y] = grad(F, W[x, "
      "y])";
  std::string text = kText;
  text.replace(text.find("{}"), 2, "3");
  Program p = program(text);
  const std::vector<double> g = to_vector<double>(p.tensor("G"));
  const std::vector<double> w = to_vector<double>(p.tensor("W"));
  const auto f = [&](size_t i, double by) {
    std::vector<double> moved = w;
    moved[i] += by;
    double sum = 0;
    for (const double d : all_paths(tensor(moved, {5, 5}))) sum += d * d;
    return sum;
  };
  for (size_t i = 0; i < w.size(); ++i)
    EXPECT_NEAR(g[i], (f(i, 1e-6) - f(i, -1e-6)) / 2e-6, 1e-6) << i;
}

TEST(LogicProgram, ShiftedIndicesReadZeroOutside) {
  for (int offset = -7; offset <= 7; ++offset) {
    const std::string sign = offset < 0 ? " - " : " + ";
    Program p = program("tensor X[n: 5] = [1, 2, 3, 4, 5]\ntensor Z[n: 5] = zeros\nY[n] = X[n" +
                        sign + std::to_string(std::abs(offset)) + "] + Z[n]\n");
    const std::vector<double> y = to_vector<double>(p.tensor("Y"));
    for (int n = 0; n < 5; ++n) {
      const int at = n + offset;
      EXPECT_EQ(y[static_cast<size_t>(n)], at >= 0 && at < 5 ? at + 1 : 0) << offset << " " << n;
    }
  }
}

TEST(LogicProgram, DivisionsAreExactAndZeroByZeroIsRefused) {
  Program exact = program("tensor W[i: 3] = [49, 3, 0]\nU[i] = W[i] / 49\nV[i] = 2 W[i] / 4 / 3");
  EXPECT_EQ(to_vector<double>(exact.tensor("U")), (std::vector<double>{1, 3.0 / 49, 0}));
  EXPECT_EQ(to_vector<double>(exact.tensor("V")), (std::vector<double>{98.0 / 12, 0.5, 0}));
  const auto code = [](const std::string& right) {
    return code_of([&] {
      program(
          "tensor X[i: 3] = [1, 0, 2]\ntensor Z[i: 3] = [1, 1, 0]\ntensor A[k: 2, i: 3] = "
          "[[1, 2, 3], [4, 5, 0]]\nY" +
          right)
          .tensor("Y");
    });
  };
  EXPECT_EQ(code("[i] = X[i] / 0"), "R01");
  EXPECT_EQ(code("[i] = Z[i] / X[i]"), "");     // 1 / 0
  EXPECT_EQ(code(" = Z[i] / X[i]"), "");        // summed
  EXPECT_EQ(code(" = X[i] / Z[i]"), "");        // 2 / 0
  EXPECT_EQ(code(" = A[k, i] / Z[i]"), "R01");  // 0 / 0 at k = 1
  EXPECT_EQ(code("[k] = A[k, i] X[i] / Z[i]"), "R01");
  EXPECT_EQ(code("[i] = 0 * X[i] / Z[i]"), "R01");
  EXPECT_EQ(code("[k] avg= A[k, i] where A[k, i] > 3"), "R01");
  EXPECT_EQ(code("[k] avg= A[k, i] where A[k, i] > 2"), "");
}

TEST(LogicProgram, RefusedTuplesChangeNothing) {
  Program p = program(
      "domain C = {Red, Blue}\nrelation K(x: ?)\nrelation R(x: ?, c: C)\nK(a1)\nR(a1, Red)\n"
      "S(x) <- K(x), R(x, c)\n");
  const auto symbol = [](const char* text) { return Symbol{text, false, false, {}}; };
  const NamedTuples wrong{"R", 2, {symbol("a2"), symbol("Red"), symbol("a3"), symbol("Green")}};
  const Shape before = p.tensor("K").shape();
  EXPECT_THROW(p.add(wrong), Error);
  EXPECT_EQ(p.tensor("K").shape(), before);
  p.add({"R", 2, {symbol("a2"), symbol("Blue")}});
  EXPECT_EQ(p.tensor("K").shape(), Shape({2}));
}

TEST(LogicProgram, AFunctionRoundsToItsDtype) {
  Program p = program(
      "fn whole(a) -> i32 { return a }\ntensor X[i: 3] = [0.5, -1.75, 3]\nY[i] = whole(X[i]) / 2");
  EXPECT_EQ(to_vector<double>(p.tensor("Y")), (std::vector<double>{0, -0.5, 1.5}));
  EXPECT_EQ(p.tensor("Y").dtype(), DType::f64);
  EXPECT_EQ(code_of([] { program("fn f(a) -> i33 { return a }\nY = f(1)"); }), "E0205");
}

TEST(LogicProgram, RefusesWhatIsBeyondItsIntegers) {
  std::string many = "tensor A[k: 3] = [1, 2, 3]\n(A[0:2]";
  for (int i = 0; i < 70; ++i) many += " + A[0:2]";
  EXPECT_EQ(code_of([&] { program(many + ")?\n").run(); }), "E0202");
  EXPECT_EQ(code_of([] { program("tensor A[k: 3] = [1, 2, 3]\nA[9223372036854775808]?").run(); }),
            "E0001");
  EXPECT_EQ(code_of([] { program("pragma seed abc\n"); }), "E0002");
  EXPECT_EQ(code_of([] { program("R(Ann, Bob)\nH[x / 2] = R(x, y)"); }), "E0201");
}

}  // namespace
}  // namespace gyre::logic
