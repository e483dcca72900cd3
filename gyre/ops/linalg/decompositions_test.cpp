// Decompositions and equations by what must hold of them, for sizes that our own loops do and for
// those that go to LAPACK; definitions/ and conformance have the rest.
#include "gyre/ops/linalg/decompositions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/gradcheck.h"
#include "gyre/autograd/vmap.h"
#include "gyre/base/thread_pool.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/lapack.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/linalg/matrices.h"
#include "gyre/ops/linalg/solve.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/thrown.h"

namespace gyre {

extern const OpDef svd_def, eigh_def, qr_def;

namespace {

// Those from 33 on (17 for iterations) go to LAPACK; 65 is more than its blocks.
constexpr int64_t kSquares[] = {1, 2, 3, 8, 9, 17, 32, 33, 65, 130};

class Decompositions : public ::testing::TestWithParam<DType> {
 protected:
  void SetUp() override {
    if (!lapack::present()) GTEST_SKIP() << "built without OpenBLAS";
  }
  Tensor random(const Shape& shape) const {
    return to(randn(shape, {.dtype = DType::f64}), GetParam());
  }
  // Error bound of an entry of a product of n terms.
  double rounding(int64_t n) const {
    double epsilon = GetParam() == DType::f64 ? 0x1p-52 : 0x1p-23;
    return 30 * epsilon * static_cast<double>(n);
  }
  static double largest(const Tensor& x) { return x.numel() ? max(abs(x)).item() : 0; }
  static Tensor identity(const Tensor& x) {
    return eye(x.size(-1), x.size(-1), {.dtype = x.dtype()});
  }
  static Tensor turned(const Tensor& x) { return transpose(x, -2, -1); }
  static Tensor diagonal(const Tensor& s) { return unsqueeze(s, -1) * eye_of(s); }
  static Tensor eye_of(const Tensor& s) {
    return eye(s.size(-1), s.size(-1), {.dtype = s.dtype()});
  }

 private:
  GeneratorScope seed_{Generator{5}};
};

TEST_P(Decompositions, CholeskyTimesItsTransposeIsTheMatrix) {
  for (int64_t n : kSquares) {
    Tensor x = random({2, n, n});
    Tensor a = matmul(x, turned(x)) + identity(x) * Tensor(1.0), l = cholesky(a);
    EXPECT_LT(largest(matmul(l, turned(l)) - a), rounding(n) * largest(a)) << n;
    for (int64_t i = 0; i < n; ++i) {
      if (i + 1 < n) {
        EXPECT_EQ(largest(slice(select(l, {.axis = -2, .index = i}), {.axis = -1, .start = i + 1})),
                  0);
      }
    }
  }
}

TEST_P(Decompositions, QTimesRIsTheMatrix) {
  for (int64_t m : kSquares) {
    for (int64_t n : {int64_t{1}, int64_t{4}, int64_t{33}, m}) {
      Tensor x = random({2, m, n});
      auto [q, r] = qr(x);
      int64_t size = m + n;
      EXPECT_LT(largest(matmul(q, r) - x), rounding(size) * largest(x)) << m << " " << n;
      EXPECT_LT(largest(matmul(turned(q), q) - identity(q)), rounding(size)) << m << " " << n;
      for (int64_t i = 0; i < r.size(-2); ++i) {
        Tensor row = select(r, {.axis = -2, .index = i});
        EXPECT_GE(min(select(row, {.axis = -1, .index = i})).item(), 0);
        if (i > 0) {
          EXPECT_EQ(largest(slice(row, {.axis = -1, .stop = i})), 0);
        }
      }
    }
  }
}

TEST_P(Decompositions, SingularValuesAndVectorsGiveTheMatrix) {
  for (int64_t m : kSquares) {
    for (int64_t n : {int64_t{1}, int64_t{4}, int64_t{33}, m}) {
      Tensor x = random({2, m, n});
      auto [u, s, vh] = svd(x);
      double off = rounding(m + n) * largest(s);
      EXPECT_LT(largest(matmul(u * unsqueeze(s, -2), vh) - x), off) << m << " " << n;
      EXPECT_LT(largest(matmul(turned(u), u) - identity(u)), rounding(m + n)) << m << " " << n;
      EXPECT_LT(largest(matmul(vh, turned(vh)) - identity(turned(vh))), rounding(m + n));
      EXPECT_GE(min(s).item(), 0);
      if (s.size(-1) < 2) continue;
      Tensor steps = slice(s, {.axis = -1, .stop = -1}) - slice(s, {.axis = -1, .start = 1});
      EXPECT_GE(min(steps).item(), 0);
      // the largest of each column, by magnitude, is positive
      EXPECT_EQ(largest(max(u, -2) - max(abs(u), -2)), 0);
    }
  }
}

TEST_P(Decompositions, SvdOfLowRankHasOrthonormalVectors) {
  std::vector<Tensor> cases;
  for (int64_t n : {2, 3, 5, 8, 20}) {
    cases.push_back(to(zeros({n, n - 1}), GetParam()));
    cases.push_back(to(ones({n, n}), GetParam()));
    for (int64_t rank = 1; rank < n; ++rank) {
      Tensor x = matmul(random({30, n, rank}), random({30, rank, n + 1}));
      cases.push_back(x);
      cases.push_back(turned(x));
    }
    Tensor column = random({30, n, 1});  // columns that depend exactly, up to powers of two
    cases.push_back(cat({column, column * Tensor(2.0), column * Tensor(0.25)}, -1));
  }
  for (const Tensor& x : cases) {
    auto [u, s, vh] = svd(x);
    const double off = rounding(x.size(-1) + x.size(-2));
    EXPECT_LT(largest(matmul(turned(u), u) - identity(u)), off) << to_string(x.shape());
    EXPECT_LT(largest(matmul(vh, turned(vh)) - identity(turned(vh))), off) << to_string(x.shape());
    EXPECT_LT(largest(matmul(u * unsqueeze(s, -2), vh) - x), off * (largest(x) + 1));
  }
}

TEST_P(Decompositions, EigenvectorsDiagonaliseTheSymmetricPart) {
  for (int64_t n : kSquares) {
    Tensor x = random({2, n, n});
    auto [w, v] = eigh(x);
    Tensor a = (x + turned(x)) * Tensor(0.5);
    EXPECT_LT(largest(matmul(a, v) - v * unsqueeze(w, -2)), rounding(n) * largest(w)) << n;
    EXPECT_LT(largest(matmul(turned(v), v) - identity(v)), rounding(n)) << n;
    EXPECT_EQ(largest(max(v, -2) - max(abs(v), -2)), 0);
    if (n > 1) {
      Tensor steps = slice(w, {.axis = -1, .start = 1}) - slice(w, {.axis = -1, .stop = -1});
      EXPECT_GE(min(steps).item(), 0);
    }
  }
}

TEST_P(Decompositions, ExtremeScalesNeitherOverflowNorVanish) {
  for (double scale : {1e-30, 1e30}) {
    Tensor x = random({5, 5}) * Tensor(scale);
    EXPECT_LT(std::fabs(largest(matmul(turned(qr(x).q), qr(x).q)) - 1), rounding(5));
    auto [u, s, vh] = svd(x);
    EXPECT_LT(largest(matmul(u * unsqueeze(s, -2), vh) - x), rounding(10) * largest(s));
    auto [w, v] = eigh(x);
    EXPECT_LT(largest(matmul(turned(v), v) - identity(v)), rounding(5));
    EXPECT_GT(largest(w), 0.1 * scale);
  }
}

TEST_P(Decompositions, SolutionsSolve) {
  for (int64_t n : kSquares) {
    Tensor a = random({2, n, n}) + identity(random({n, n})) * Tensor(2.0 * static_cast<double>(n));
    Tensor b = random({2, n, 3}), x = solve(a, b);
    EXPECT_LT(largest(matmul(a, x) - b), rounding(n) * largest(b)) << n;
    EXPECT_LT(largest(matmul(a, inverse(a)) - identity(a)), rounding(n)) << n;
    for (int how = 0; how < 16; ++how) {
      TriangularSolveAttrs attrs{(how & 1) != 0, (how & 2) != 0, (how & 4) != 0, (how & 8) != 0};
      Tensor t = a * Tensor(1.0 / (2.0 * static_cast<double>(n)));
      Tensor rhs = attrs.left ? b : turned(b), y = triangular_solve(t, rhs, attrs);
      Tensor rows = unsqueeze(arange(0, static_cast<double>(n)), -1);
      Tensor columns = unsqueeze(arange(0, static_cast<double>(n)), 0);
      Tensor kept = where(attrs.upper ? le(rows, columns) : ge(rows, columns), t, Tensor(0.0));
      if (attrs.unitriangular) kept = where(eq(rows, columns), Tensor(1.0), kept);
      if (attrs.transpose) kept = turned(kept);
      Tensor back = attrs.left ? matmul(kept, y) : matmul(y, kept);
      EXPECT_LT(largest(back - rhs), rounding(n) * largest(y)) << n << " " << how;
    }
  }
}

TEST_P(Decompositions, DeterminantsMultiply) {
  for (int64_t n : kSquares) {
    Tensor a = random({n, n}), b = random({n, n});
    auto [sign_a, log_a] = slogdet(a);
    auto [sign_b, log_b] = slogdet(b);
    auto [sign, log] = slogdet(matmul(a, b));
    EXPECT_EQ(sign.item(), sign_a.item() * sign_b.item()) << n;
    EXPECT_NEAR(log.item(), log_a.item() + log_b.item(), 3000 * rounding(n)) << n;
    if (n > 20) continue;
    EXPECT_NEAR(det(a).item() / (sign_a.item() * std::exp(log_a.item())), 1, 100 * rounding(n));
  }
}

TEST_P(Decompositions, SingularMatricesHaveNoDeterminant) {
  Tensor x = to(tensor({{{1, 2}, {2, 4}}, {{0, 0}, {0, 0}}}), GetParam());
  EXPECT_EQ(to_vector<double>(det(x)), (std::vector<double>{0, 0}));
  auto [sign, log] = slogdet(x);
  EXPECT_EQ(to_vector<double>(sign), (std::vector<double>{0, 0}));
  EXPECT_EQ(to_vector<double>(log), (std::vector<double>{-INFINITY, -INFINITY}));
}

TEST_P(Decompositions, LeastSquaresLeaveAResidualAtRightAngles) {
  for (int64_t n : kSquares) {
    Tensor a = random({n + 5, n}), b = random({n + 5}), x = lstsq(a, b);
    EXPECT_LT(largest(matmul(turned(a), matmul(a, x) - b)),
              10 * rounding(n) * static_cast<double>(n));
    // the least of all solutions is in the span of the rows
    Tensor wide = turned(a), c = random({n}), y = lstsq(wide, c);
    EXPECT_LT(largest(matmul(wide, y) - c), 10 * rounding(n)) << n;
    EXPECT_LT(largest(matmul(a, lstsq(a, y)) - y), 10 * rounding(n) * largest(y)) << n;
  }
}

TEST_P(Decompositions, PowersAreProducts) {
  Tensor x = random({2, 3, 3}) * Tensor(0.3) + identity(random({3, 3}));
  EXPECT_EQ(largest(matrix_power(x, 0) - identity(x)), 0);
  EXPECT_EQ(largest(matrix_power(x, 1) - x), 0);
  EXPECT_LT(largest(matrix_power(x, 5) - matmul(x, matmul(matmul(x, x), matmul(x, x)))),
            rounding(30));
  EXPECT_LT(largest(matmul(matrix_power(x, -3), matrix_power(x, 3)) - identity(x)), rounding(100));
}

TEST_P(Decompositions, BitsDoNotDependOnTheNumberOfThreads) {
  for (int64_t n : {3, 40}) {
    Tensor x = random({50, n, n}), b = random({50, n, 2});
    auto all = [&] {
      auto [q, r] = qr(x);
      auto [u, s, vh] = svd(x);
      auto [w, v] = eigh(x);
      return Tensors{q, r, u, s, vh, w, v, solve(x, b), det(x)};
    };
    set_num_threads(1);
    Tensors one = all();
    set_num_threads(3);
    Tensors many = all();
    set_num_threads(0);
    for (size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(to_vector<double>(one[i]), to_vector<double>(many[i])) << n << " " << i;
    }
  }
}

std::string dtype_of(const ::testing::TestParamInfo<DType>& info) { return name_of(info.param); }
INSTANTIATE_TEST_SUITE_P(In, Decompositions, ::testing::Values(DType::f64, DType::f32), dtype_of);

TEST(DecompositionErrors, NameThePlaceInTheBatch) {
  Tensor good = eye(2), bad = zeros({2, 2});
  Tensor x = stack({good, good, bad, good, bad}, 0);
  EXPECT_EQ(message_of(Code::numeric,
                       [&] {
                         solve(x, ones({2, 1}));
                       }),
            "solve: a singular matrix at position 2");
  EXPECT_EQ(message_of(Code::numeric, [&] { inverse(x); }),
            "inverse: solve: a singular matrix at position 2");
  EXPECT_EQ(message_of(Code::numeric, [&] { cholesky(x); }),
            "cholesky: the matrix is not positive definite at position 2");
  EXPECT_EQ(message_of(Code::numeric,
                       [&] {
                         triangular_solve(x, ones({2, 1}));
                       }),
            "triangular_solve: a zero on the diagonal of the matrix at position 2");
  Tensor nan = full({9, 9}, NAN);
  for (const Tensor& t : {slice(nan, {.axis = 0, .stop = 9}), full({2, 2}, INFINITY)}) {
    EXPECT_EQ(code_of([&] { svd(t); }), Code::numeric);
    EXPECT_EQ(code_of([&] { eigh(t); }), Code::numeric);
    EXPECT_EQ(code_of([&] { cholesky(t); }), Code::numeric);
  }
  Error e = error_of([] { solve(ones({2, 2}), ones({3, 1})); });
  EXPECT_STREQ(e.what(), "solve: a and b must have the same number of rows, got [2, 2] and [3, 1]");
  EXPECT_EQ(e.expected, "2");
  EXPECT_EQ(e.actual, "3");
}

TEST(DecompositionErrors, SidesThatLapackCannotCountAreRefusedBeforeAnythingIsTaken) {
  auto infer = [](const OpDef& op, const Shape& shape) {
    Tensors in{expand(ones({1, 1}), shape)};
    std::vector<Meta> out(op.outputs.size());
    op.infer(op, nullptr, in, out);
  };
  for (const OpDef* op : {&svd_def, &eigh_def, &qr_def}) {
    infer(*op, {20000, 20000});
    for (int64_t n : {kMostRows + 1, int64_t{1} << 31, int64_t{1} << 33}) {
      EXPECT_EQ(code_of([&] { infer(*op, {n, 1}); }), Code::resource) << op->name << " " << n;
    }
  }
  infer(eigh_def, {kMostRows, kMostRows});
  infer(qr_def, {kMostRows, kMostRows});
  infer(svd_def, {100, kMostRows});
  for (int64_t n : {20750, 25000, 30000}) {
    EXPECT_EQ(
        message_of(Code::resource,
                   [&] {
                     infer(svd_def, {n, n});
                   }),
        "svd: x " + to_string(Shape{n, n}) + " needs a larger workspace than LAPACK supports");
  }
}

TEST(DecompositionErrors, LargeMatricesAreUnavailableWithoutOpenBlas) {
  Tensor small = eye(32), large = eye(33);
  EXPECT_EQ(to_vector<float>(inverse(small)), to_vector<float>(small));
  if (lapack::present()) {
    EXPECT_EQ(to_vector<float>(inverse(large)), to_vector<float>(large));
  } else {
    EXPECT_EQ(message_of(Code::unavailable, [&] { solve(large, large); }),
              "solve: needs OpenBLAS, which this build lacks");
  }
}

TEST(DecompositionGradients, AreZeroWhereTheyAreNotDefined) {
  Tensor x = eye(3, 3, {.dtype = DType::f64, .requires_grad = true});
  sum(eigh(x).vectors).backward();
  EXPECT_EQ(to_vector<double>(x.grad()), std::vector<double>(9, 0.0));
  x.zero_grad();
  Tensor u = svd(x).u;
  sum(u * u).backward();
  EXPECT_EQ(to_vector<double>(x.grad()), std::vector<double>(9, 0.0));
  x.zero_grad();
  slogdet(x).sign.backward();
  EXPECT_FALSE(x.grad().defined() && max(abs(x.grad())).item() != 0);
}

// The four equations that define it, for matrices of full and of lower rank.
TEST(Pinv, MeetsThePenroseConditions) {
  GeneratorScope seed{Generator{5}};
  const TensorOptions f64{.dtype = DType::f64};
  const Tensor low = matmul(randn({2, 5, 2}, f64), randn({2, 2, 4}, f64));
  for (const Tensor& a : {randn({3, 3}, f64), randn({2, 5, 3}, f64), randn({3, 5}, f64), low,
                          zeros({2, 3}, f64), eye(3, 3, f64)}) {
    const Tensor p = pinv(a), ap = matmul(a, p), pa = matmul(p, a);
    const auto expect_equal = [](const Tensor& x, const Tensor& y) {
      EXPECT_LT(max(abs(x - y)).item(), 1e-12);
    };
    expect_equal(matmul(ap, a), a);
    expect_equal(matmul(pa, p), p);
    expect_equal(transpose(ap, -2, -1), ap);
    expect_equal(transpose(pa, -2, -1), pa);
  }
  EXPECT_EQ(pinv(tensor({{1.0, 0}, {0, 0.1}}), 0.5).size(0), 2);
  EXPECT_EQ(to_vector<float>(pinv(tensor({{1.0, 0}, {0, 0.1}}), 0.5)),
            (std::vector<float>{1, 0, 0, 0}));
}

// Where singular values are equal, those of the decomposition have no gradient of their own.
TEST(Pinv, HasGradientsAtEqualSingularValues) {
  for (const Tensor& x : {eye(3, 3, {.dtype = DType::f64}), eye(2, 4, {.dtype = DType::f64})}) {
    Tensors in{x.detach().set_requires_grad()};
    auto f = [](Inputs t) -> Tensors { return {pinv(t[0])}; };
    for (const GradcheckReport& r : {gradcheck(f, in), gradgradcheck(f, in)}) {
      EXPECT_TRUE(r) << r.what();
    }
  }
}

// Of rank n - 1, n - 2 and less; alone, with equal singular values, and with regular ones.
TEST(DecompositionGradients, OfSingularDeterminantsAreCofactors) {
  GeneratorScope seed{Generator{7}};
  // rows past the rank are others doubled, which factoring takes to zeros
  auto of_rank = [](int64_t n, int64_t rank) {
    if (rank == 0) return zeros({n, n}, {.dtype = DType::f64});
    Tensor x = slice(randn({n, n}, {.dtype = DType::f64}), {.axis = 0, .stop = rank});
    while (x.size(0) < n) x = cat({x, slice(x, {.axis = 0, .stop = 1}) * Tensor(2.0)}, 0);
    return x;
  };
  std::vector<Tensor> cases{zeros({1, 1}, {.dtype = DType::f64})};
  for (int64_t n : {2, 3, 5}) {
    for (int64_t rank = 0; rank < n; ++rank) cases.push_back(of_rank(n, rank));
    cases.push_back(stack({of_rank(n, n - 1), of_rank(n, n), of_rank(n, 0)}, 0));
  }
  cases.push_back(reshape(arange(1, 10, 1, {.dtype = DType::f64}), {3, 3}));  // but for rounding
  cases.push_back(eye(3, 3, {.dtype = DType::f64}) * tensor({1.0, 1, 0}));
  // whose last column depends on the first exactly
  Tensor steep = tensor({1.23395684518350812, 1.52136169720423853}, {.dtype = DType::f64});
  cases.push_back(stack({steep, steep * Tensor(2.0)}, 1));
  for (const Tensor& x : cases) {
    Tensors in{x.detach().set_requires_grad()};
    auto f = [](Inputs t) -> Tensors { return {det(t[0])}; };
    EXPECT_LT(min(abs(det(x))).item(), 1e-14) << to_string(x.shape());
    for (const GradcheckReport& r : {gradcheck(f, in), gradgradcheck(f, in)}) {
      EXPECT_TRUE(r) << to_string(x.shape()) << "\n" << r.what();
    }
  }
}

TEST(DecompositionGradients, ThirdDerivativeOfTheDeterminantOfZeros) {
  Tensor x = zeros({3, 3}, {.dtype = DType::f64, .requires_grad = true}), y = det(x);
  for (int64_t i : {0, 1}) {
    Tensor slope = grad(y, x, {.create_graph = true});
    y = select(select(slope, {0, i}), {0, (i + 1) % 3});
  }
  // x[0][1] x[1][2] x[2][0] has the sign of an even permutation
  EXPECT_EQ(to_vector<double>(grad(y, x)), (std::vector<double>{0, 0, 0, 0, 0, 0, 1, 0, 0}));
}

TEST(DecompositionGradients, OfSingularDeterminantsInVmap) {
  Tensor x = tensor({{{1.0, 2}, {2, 4}}, {{3, 1}, {1, 2}}, {{0, 0}, {0, 5}}});
  auto slope = [](const Tensor& t) {
    Tensor leaf = t.detach().set_requires_grad();
    return grad(det(leaf), leaf);
  };
  Tensor cofactors = tensor({{{4.0, -2}, {-2, 1}}, {{2, -1}, {-1, 3}}, {{5, 0}, {0, 0}}});
  EXPECT_LT(max(abs(vmap(slope)(x) - cofactors)).item(), 1e-5);
}

}  // namespace
}  // namespace gyre
