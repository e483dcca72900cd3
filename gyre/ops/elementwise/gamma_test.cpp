// Accuracy of lgamma, digamma, zeta and erfinv on every instruction set: against the C library and
// long sums, relative to 1 where a function has zeros.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gyre/base/cpu.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

const double kInfinite = std::numeric_limits<double>::infinity();

template <class F>
void on_every_set(F f) {
  const Isa best = cpu_features().best, before = isa();
  for (int level = v2; level <= best; ++level) {
    set_isa(static_cast<Isa>(level));
    f();
  }
  set_isa(before);
}

std::vector<double> values_of(Tensor (*function)(const Tensor&), std::span<const double> x) {
  return to_vector<double>(function(tensor(x, {static_cast<int64_t>(x.size())})));
}

// Points between low and high, dense near both, and their mirror images if wanted.
std::vector<double> points(double low, double high, bool both = false) {
  std::vector<double> all;
  for (int i = 1; i < 4000; ++i) {
    const double t = (1 - std::cos(M_PI * i / 4000)) / 2, x = low + t * t * (high - low);
    all.push_back(x);
    if (both) all.push_back(-x);
  }
  return all;
}

double digamma_of(double x) {
  if (x < 0) return digamma_of(1 - x) - M_PI / std::tan(M_PI * (x - std::round(x)));
  long double sum = 0;
  const long double end = x + 1000.0L;
  for (int k = 999; k >= 0; --k) sum += 1 / (static_cast<long double>(x) + k);
  const long double square = end * end;
  return static_cast<double>(std::log(end) - 1 / (2 * end) - 1 / (12 * square) +
                             1 / (120 * square * square) - sum);
}

TEST(Gamma, LogarithmOfPositiveNumbersIsAccurateNearItsZeros) {
  on_every_set([] {
    for (double high : {0.5, 4.0, 20.0, 1e6}) {
      const std::vector<double> x = points(0, high), y = values_of(lgamma, x);
      for (size_t i = 0; i < x.size(); ++i) {
        const auto exact = static_cast<double>(std::lgamma(static_cast<long double>(x[i])));
        EXPECT_LE(std::abs(y[i] - exact), 1e-15 * std::abs(exact)) << x[i];
      }
    }
  });
}

TEST(Gamma, LogarithmOfNegativeNumbers) {
  on_every_set([] {
    const std::vector<double> x = points(-30, 0), y = values_of(lgamma, x);
    for (size_t i = 0; i < x.size(); ++i) {
      const auto exact = static_cast<double>(std::lgamma(static_cast<long double>(x[i])));
      const double pole = std::abs(x[i] - std::round(x[i]));
      EXPECT_LE(std::abs(y[i] - exact), 2e-15 * (1 - x[i]) * (1 + 1e-2 / pole)) << x[i];
    }
  });
}

TEST(Gamma, DigammaIsTheDerivative) {
  on_every_set([] {
    for (double high : {0.5, 4.0, 20.0, 1e6}) {
      const std::vector<double> x = points(0, high, high == 20), y = values_of(digamma, x);
      for (size_t i = 0; i < x.size(); ++i) {
        const double exact = digamma_of(x[i]);
        EXPECT_LE(std::abs(y[i] - exact), 4e-15 * (1 + std::abs(exact)) * (x[i] < 0 ? 100 : 1))
            << x[i];
      }
    }
  });
}

TEST(Gamma, ZetaFollowsItsRecurrenceAndItsMirror) {
  on_every_set([] {
    for (double s : {2.0, 3.0, 4.0, 7.0, 30.0}) {
      const std::vector<double> q = points(0.1, 12, true);
      std::vector<double> next = q;
      for (double& x : next) x += 1;
      const Tensor power(s);
      const auto at = to_vector<double>(zeta(to(power, DType::f64), tensor(q, {7998})));
      const auto after = to_vector<double>(zeta(to(power, DType::f64), tensor(next, {7998})));
      for (size_t i = 0; i < q.size(); ++i) {
        const double first = std::pow(q[i], -s);
        EXPECT_LE(std::abs(at[i] - after[i] - first), 1e-13 * (std::abs(at[i]) + std::abs(first)))
            << s << " " << q[i];
      }
    }
    const auto known = to_vector<double>(
        zeta(tensor(std::vector<double>{2, 4, 3, 2, 1, 0.5, 2.5, 2, 3}, {9}),
             tensor(std::vector<double>{1, 1, 1, 0.5, 2, 2, -0.5, -3, -0.5}, {9})));
    EXPECT_NEAR(known[0], M_PI * M_PI / 6, 1e-15);
    EXPECT_NEAR(known[1], std::pow(M_PI, 4) / 90, 1e-15);
    EXPECT_NEAR(known[2], 1.2020569031595942, 1e-15);
    EXPECT_NEAR(known[3], M_PI * M_PI / 2, 2e-15);
    EXPECT_EQ(known[4], kInfinite);
    EXPECT_TRUE(std::isnan(known[5]));
    EXPECT_TRUE(std::isnan(known[6]));
    EXPECT_EQ(known[7], kInfinite);
    EXPECT_NEAR(known[8], 7 * 1.2020569031595942 - 8, 1e-14);
  });
}

TEST(Gamma, ErfinvInvertsErf) {
  on_every_set([] {
    const std::vector<double> x = points(0, 1, true), y = values_of(erfinv, x);
    for (size_t i = 0; i < x.size(); ++i) {
      // The error of y is that of erf at y over its slope.
      const long double exact = y[i], slope = M_2_SQRTPIl * std::exp(-exact * exact);
      const long double off =
          std::abs(x[i]) < 0.5
              ? std::erf(exact) - x[i]
              : (x[i] < 0 ? -1 : 1) *
                    (1 - std::abs(static_cast<long double>(x[i])) - std::erfc(std::abs(exact)));
      EXPECT_LE(std::abs(off / slope), 1e-15L * std::abs(exact)) << x[i];
    }
    const float edges[] = {-1, 1, 2, 0, 1e-30F, 0.99999994F};
    const auto f = to_vector<float>(erfinv(tensor(std::span<const float>(edges), {6})));
    EXPECT_EQ(f[0], -kInfinite);
    EXPECT_EQ(f[1], kInfinite);
    EXPECT_TRUE(std::isnan(f[2]));
    EXPECT_EQ(f[3], 0);
    EXPECT_FLOAT_EQ(f[4], 0.88622693e-30F);
    EXPECT_FLOAT_EQ(f[5], 3.8325069F);
  });
}

TEST(Gamma, WherePiecesMeet) {
  const double x[] = {
      0.5, 1, 1.5, 2, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 8, 10, 1.4616321449683622};
  const std::vector<double> l = values_of(lgamma, x), d = values_of(digamma, x);
  for (size_t i = 0; i < std::size(x); ++i) {
    const auto exact = static_cast<double>(std::lgamma(static_cast<long double>(x[i])));
    EXPECT_LE(std::abs(l[i] - exact), 1e-15 * std::abs(exact)) << x[i];
    EXPECT_LE(std::abs(d[i] - digamma_of(x[i])), 1e-15 * std::max(1.0, std::abs(d[i]))) << x[i];
  }
}

TEST(Gamma, Edges) {
  const double x[] = {kInfinite, -kInfinite, 0.0, -0.0, -3, std::nan(""), 1, 2, -1e-200, 1e308};
  const std::vector<double> l = values_of(lgamma, x), d = values_of(digamma, x);
  for (size_t i = 0; i < std::size(x) - 1; ++i) {
    const double exact = std::lgamma(x[i]);
    EXPECT_TRUE(std::abs(l[i] - exact) <= 1e-15 * std::abs(exact) || l[i] == exact ||
                (std::isnan(l[i]) && std::isnan(exact)))
        << x[i] << " " << l[i];
  }
  EXPECT_EQ(l[9], kInfinite);
  EXPECT_EQ(d[0], kInfinite);
  EXPECT_TRUE(std::isnan(d[1]));
  EXPECT_EQ(d[2], -kInfinite);
  EXPECT_EQ(d[3], kInfinite);
  EXPECT_TRUE(std::isnan(d[4]));
  EXPECT_TRUE(std::isnan(d[5]));
}

}  // namespace
}  // namespace gyre
