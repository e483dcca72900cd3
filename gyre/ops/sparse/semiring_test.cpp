#include "gyre/ops/sparse/semiring.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gyre/autograd/backward.h"
#include "gyre/base/system/memory.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using enum Semiring;
constexpr Semiring kAll[] = {min_plus, max_plus, min_times, max_times};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// By broadcasting to [.., n, m, k] and a reduction.
Tensor by_broadcast(const Tensor& x, const Tensor& y, Semiring s) {
  const Tensor a = unsqueeze(x, -1), b = unsqueeze(y, -3);
  const Tensor both = s == min_plus || s == max_plus ? a + b : a * b;
  return s == min_plus || s == min_times ? min(both, {{-2}}) : max(both, {{-2}});
}

void expect_same(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.shape(), b.shape());
  const std::vector<double> got = to_vector<double>(a), wanted = to_vector<double>(b);
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_TRUE(got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i])))
        << "element " << i << ": " << got[i] << ", not " << wanted[i];
  }
}

// Elements of which a share is `none`.
Tensor sparse(const Shape& shape, double none, double share, DType dtype) {
  return where(rand(shape, {.dtype = dtype}) < Tensor(share), Tensor(none),
               randn(shape, {.dtype = dtype}));
}

TEST(SemiringMatmul, BlocksAreTheBroadcast) {
  // several blocks along every axis, whole and in part
  const Shape sizes[] = {{1, 1, 1}, {3, 5, 7}, {130, 300, 70}, {9, 257, 131}, {2, 40, 200}};
  for (const Shape& n : sizes) {
    for (const DType dtype : {DType::f32, DType::f64}) {
      const Tensor x = randn({n[0], n[1]}, {.dtype = dtype}),
                   y = randn({n[1], n[2]}, {.dtype = dtype});
      for (const Semiring s : kAll) expect_same(semiring_matmul(x, y, s), by_broadcast(x, y, s));
      const Tensor tx = transpose(randn({n[1], n[0]}, {.dtype = dtype}), 0, 1),
                   ty = transpose(randn({n[2], n[1]}, {.dtype = dtype}), 0, 1);
      expect_same(semiring_matmul(tx, ty), by_broadcast(tx, ty, min_plus));
    }
  }
}

TEST(SemiringMatmul, NanAndInfinityAreExact) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    for (const double special : {kInfinity, -kInfinity, 0.0, std::nan("")}) {
      const Tensor x = sparse({12, 30}, special, 0.1, dtype),
                   y = sparse({30, 40}, kInfinity, 0.1, dtype);
      for (const Semiring s : kAll) {
        expect_same(semiring_matmul(x, y, s), by_broadcast(x, y, s));
        expect_same(semiring_matmul(transpose(y, 0, 1), transpose(x, 0, 1), s),
                    by_broadcast(transpose(y, 0, 1), transpose(x, 0, 1), s));
      }
    }
  }
}

TEST(SemiringMatmul, RowsWithFewEdges) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    for (const Semiring s : {min_plus, max_plus}) {
      const double none = s == min_plus ? kInfinity : -kInfinity;
      const Tensor x = sparse({2, 70, 90}, none, 0.95, dtype),
                   y = randn({90, 150}, {.dtype = dtype});
      expect_same(semiring_matmul(x, y, s), by_broadcast(x, y, s));
      const Tensor by_columns = transpose(sparse({90, 70}, none, 0.95, dtype), 0, 1);
      expect_same(semiring_matmul(by_columns, y, s), by_broadcast(by_columns, y, s));
      const Tensor nothing = full({5, 90}, none, {.dtype = dtype});
      expect_same(semiring_matmul(nothing, y, s), full({5, 150}, none, {.dtype = dtype}));
    }
  }
}

// dx and dy of the sum of w out, element by element.
TEST(SemiringMatmul, GradientGoesToTheFirstThatWins) {
  for (const Semiring s : kAll) {
    for (const double share : {0.0, 0.9}) {
      const double none = s == min_plus || s == min_times ? kInfinity : -kInfinity;
      // few distinct values: several terms are equal
      const Tensor numbers = to(randint(1, 4, {40, 50}), DType::f64);
      Tensor x = where(rand({40, 50}) < Tensor(share), Tensor(none), numbers).detach();
      Tensor y = to(randint(1, 4, {50, 33}), DType::f64);
      const Tensor w = randn({40, 33}, {.dtype = DType::f64});
      x.set_requires_grad();
      y.set_requires_grad();
      sum(where(isfinite(semiring_matmul(x, y, s)), semiring_matmul(x, y, s), Tensor(0.0)) * w)
          .backward();
      const auto a = to_vector<double>(x), b = to_vector<double>(y), g = to_vector<double>(w);
      std::vector<double> gx(a.size(), 0), gy(b.size(), 0);
      for (size_t i = 0; i < 40; ++i) {
        for (size_t j = 0; j < 33; ++j) {
          double best = none;
          size_t at = 50;
          for (size_t l = 0; l < 50; ++l) {
            const double p = a[i * 50 + l], q = b[l * 33 + j];
            const double both = s == min_plus || s == max_plus ? p + q : p * q;
            if (none > 0 ? both < best : both > best) best = both, at = l;
          }
          if (at == 50) continue;
          const bool adds = s == min_plus || s == max_plus;
          gx[i * 50 + at] += g[i * 33 + j] * (adds ? 1 : b[at * 33 + j]);
          gy[at * 33 + j] += g[i * 33 + j] * (adds ? 1 : a[i * 50 + at]);
        }
      }
      const auto dx = to_vector<double>(x.grad()), dy = to_vector<double>(y.grad());
      for (size_t i = 0; i < gx.size(); ++i) ASSERT_NEAR(dx[i], gx[i], 1e-12);
      for (size_t i = 0; i < gy.size(); ++i) ASSERT_NEAR(dy[i], gy[i], 1e-12);
    }
  }
}

TEST(SemiringMatmul, ElementsThatNothingReachesHaveNoGradient) {
  Tensor x = full({8, 8}, kInfinity), y = full({8, 8}, kInfinity);
  x.set_requires_grad();
  y.set_requires_grad();
  sum(semiring_matmul(x, y)).backward();
  expect_same(x.grad(), zeros({8, 8}));
  expect_same(y.grad(), zeros({8, 8}));
}

TEST(SemiringMatmul, NeverHoldsTheBroadcast) {
  const Tensor x = randn({700, 700}), y = randn({700, 700});  // the broadcast has 1.4 GB
  reset_peak_resident();
  const size_t before = peak_resident_bytes();
  semiring_matmul(x, y);
  EXPECT_LT(peak_resident_bytes() - before, size_t{50} << 20);
}

// Rounds over all edges until nothing changes.
Tensor by_rounds(const Tensor& a, const Tensor& b, Semiring s) {
  for (Tensor x = b;;) {
    const Tensor more = semiring_matmul(a, x, s);
    const Tensor next = s == min_plus ? minimum(b, more) : maximum(b, more);
    if (all(next == x).item() != 0) return x;
    x = next;
  }
}

TEST(SemiringFixpoint, HasTheBitsOfRounds) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    for (const Semiring s : {min_plus, max_plus}) {
      const double none = s == min_plus ? kInfinity : -kInfinity, sign = s == min_plus ? 1 : -1;
      for (const double share : {0.2, 0.95, 0.995}) {
        const Tensor weights = rand({150, 150}, {.dtype = dtype}) * Tensor(sign);
        const Tensor a = where(rand({150, 150}) < Tensor(share), Tensor(none), weights);
        const Tensor b = sparse({150, 203}, none, 0.99, dtype);
        expect_same(semiring_fixpoint(a, b, s), by_rounds(a, b, s));
        expect_same(semiring_fixpoint(transpose(a, 0, 1), b, s),
                    by_rounds(transpose(a, 0, 1), b, s));
      }
    }
  }
}

TEST(SemiringFixpoint, RefusesCyclesThatImproveForEver) {
  const Tensor a = tensor({{kInfinity, 1.0}, {-1.5, kInfinity}}), b = tensor({{0.0}, {0.0}});
  EXPECT_EQ(message_of(Code::numeric, [&] { semiring_fixpoint(a, b); }),
            "semiring_fixpoint: there is no solution: each pass through a cycle of weights changes "
            "the result");
  EXPECT_EQ(code_of([&] { semiring_fixpoint(tensor({{std::nan("")}}), tensor({{0.0}})); }),
            Code::value);
  // a cycle that nothing reaches does no harm
  const Tensor nothing = tensor({{kInfinity}, {kInfinity}});
  expect_same(semiring_fixpoint(a, nothing), nothing);
}

}  // namespace
}  // namespace gyre
