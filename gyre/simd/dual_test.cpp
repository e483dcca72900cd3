#include "gyre/simd/dual.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "gyre/simd/math.h"

namespace gyre {
namespace {

using V = Vec<double, 1>;
using D = Dual<V>;
constexpr double kInf = std::numeric_limits<double>::infinity();

D seeded(double x) { return D(V(x), V(1.0)); }
double slope(D x) { return x.d[0]; }
double slope(V) { return 0; }  // a plain result does not depend on the active argument

void expect_close(double got, double want, double x) {
  if (std::isinf(want) || want == 0)
    EXPECT_EQ(got, want) << "at " << x;
  else
    EXPECT_NEAR(got / want, 1, 1e-13) << got << " for " << want << " at " << x;
}

#define EXPECT_SLOPE(f, want, ...)                   \
  for (double x : std::vector<double> __VA_ARGS__) { \
    SCOPED_TRACE(#f);                                \
    expect_close(slope(f(seeded(x))), want, x);      \
  }

const double kRootPi = std::sqrt(std::acos(-1.0));

TEST(Dual, ElementaryFunctionsHaveTheirAnalyticSlope){
    EXPECT_SLOPE(exp, std::exp(x), {-700., -1., 0., 1., 700.}) EXPECT_SLOPE(
        exp2, std::exp2(x) * std::log(2.0),
        {-1000., -1., 0., 3.5}) EXPECT_SLOPE(expm1, std::exp(x), {-300., -20., -1e-9, 0., 5.})
        EXPECT_SLOPE(log, 1 / x, {1e-300, 0.5, 1., 1e300}) EXPECT_SLOPE(log1p, 1 / (1 + x),
                                                                        {-0.999, 0., 1e-20, 1e300})
            EXPECT_SLOPE(log2, 1 / (x * std::log(2.0)), {1e-300, 1., 8.}) EXPECT_SLOPE(
                sqrt, 0.5 / std::sqrt(x),
                {1e-300, 1., 4.,
                 1e300}) EXPECT_SLOPE(rsqrt, -0.5 / (x * std::sqrt(x)), {1e-200, 1., 4., 1e200})
                EXPECT_SLOPE(sin, std::cos(x),
                             {0., 1., -3., 1e22}) EXPECT_SLOPE(cos, -std::sin(x), {1., -3., 1e22})
                    EXPECT_SLOPE(tan, 1 + std::tan(x) * std::tan(x), {0., 1., -1.5}) EXPECT_SLOPE(
                        asin, 1 / std::sqrt((1 - x) * (1 + x)),
                        {0., 0.7, -0.999999,
                         1.}) EXPECT_SLOPE(acos, -1 / std::sqrt((1 - x) * (1 + x)),
                                           {0., 0.7, -0.999999, 1.})
                        EXPECT_SLOPE(atan, 1 / (1 + x * x), {0., -3., 1e10}) EXPECT_SLOPE(
                            sinh, std::cosh(x),
                            {0., -3., 700.}) EXPECT_SLOPE(cosh, std::sinh(x), {0., -3., 700.})
                            EXPECT_SLOPE(tanh, 1 / (std::cosh(x) * std::cosh(x)), {0., -0.3, 1.})
                                EXPECT_SLOPE(asinh, 1 / std::hypot(1, x),
                                             {0., -3., 1e-200, 1e200, -1e300})
                                    EXPECT_SLOPE(acosh, 1 / (std::sqrt(x - 1) * std::sqrt(x + 1)),
                                                 {1., 1.0000001, 3., 1e300})
                                        EXPECT_SLOPE(atanh, 1 / ((1 - x) * (1 + x)),
                                                     {0., 0.5, -0.999999})
                                            EXPECT_SLOPE(erf, 2 / kRootPi * std::exp(-x * x),
                                                         {0., 0.5, -3., 30.})
                                                EXPECT_SLOPE(erfc, -2 / kRootPi * std::exp(-x * x),
                                                             {0., 0.5, -3.})}

TEST(Dual, GatesKeepTheirSlopeInBothTails) {
  auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
  auto cdf = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  auto pdf = [](double x) { return std::exp(-0.5 * x * x) / (kRootPi * std::sqrt(2.0)); };
  EXPECT_SLOPE(sigmoid, logistic(x) * logistic(-x), {-700., -50., 0., 1., 50., 700.})
  EXPECT_SLOPE(softplus, logistic(x), {-700., -1., 0., 50., 1e300})
  EXPECT_SLOPE(silu, logistic(x) * (1 + x * logistic(-x)), {-500., -3., 0., 2., 500.})
  EXPECT_SLOPE(normal_cdf, pdf(x), {-30., -1., 0., 2., 30.})
  EXPECT_SLOPE(gelu, cdf(x) + x * pdf(x), {-20., -2., 0., 2., 1e200})
  auto gate_slope = [&](double x) {
    const double k = std::sqrt(8.0) / kRootPi, u = k * (x + 0.044715 * x * x * x);
    return logistic(u) * (1 + x * k * (1 + 3 * 0.044715 * x * x) * logistic(-u));
  };
  EXPECT_SLOPE(gelu_tanh, gate_slope(x), {-5., -2., 0., 2., 10.})
  for (double x : {-1e300, -kInf}) {
    EXPECT_EQ(slope(gelu_tanh(seeded(x))), 0) << x;
    EXPECT_EQ(slope(softplus(seeded(x))), 0) << x;
    EXPECT_EQ(slope(tanh(seeded(x))), 0) << x;
  }
}

TEST(Dual, KinksHaveTheAgreedSlope) {
  EXPECT_EQ(slope(abs(seeded(0.0))), 0);
  EXPECT_EQ(slope(abs(seeded(-2.0))), -1);
  EXPECT_EQ(slope(max(seeded(0.0), V(0.0))), 0.5);
  EXPECT_EQ(slope(max(V(0.0), seeded(1.0))), 1);
  EXPECT_EQ(slope(max(seeded(1.0), D(V(1.0), V(3.0)))), 2);
  EXPECT_EQ(slope(min(seeded(2.0), 1.0)), 0);
  EXPECT_EQ(slope(min(seeded(1.0), 1.0)), 0.5);
  EXPECT_EQ(slope(floor(seeded(1.0))), 0);
  EXPECT_EQ(slope(round(seeded(0.5))), 0);
  EXPECT_EQ(slope(sign(seeded(0.0))), 0);
  EXPECT_TRUE(std::isnan(max(seeded(NAN), V(0.0)).v[0]));
}

TEST(Dual, PowerIsFiniteWhereItsSlopeIs) {
  EXPECT_EQ(slope(pow(seeded(0.0), V(0.0))), 0);
  EXPECT_EQ(slope(pow(seeded(0.0), V(1.0))), 1);
  EXPECT_EQ(slope(pow(seeded(0.0), 2.0)), 0);
  EXPECT_EQ(slope(pow(seeded(0.0), V(0.5))), kInf);
  EXPECT_EQ(slope(pow(seeded(-3.0), V(2.0))), -6);
  EXPECT_EQ(slope(pow(2.0, seeded(3.0))), 8 * std::log(2.0));
  EXPECT_EQ(slope(pow(V(0.0), seeded(2.0))), 0);
  EXPECT_EQ(slope(pow(V(0.0), seeded(0.0))), 0);
  expect_close(slope(pow(seeded(3.0), D(V(2.0), V(1.0)))), 6 + 9 * std::log(3.0), 3);
}

/// An example body.
template <class X, class Y>
auto body(X x, Y y) {
  return select(x < 0.0, sqrt(select(x < 0.0, -x, 1.0)), 0.0) * y + 2.0 * x / (1.0 + y * y) -
         fma(x, y, 1.0) + (3.0 - x) * x;
}

TEST(Dual, BodiesMixActiveAndPlainArguments) {
  auto by_x = [](double x, double y) {
    return (x < 0 ? -0.5 / std::sqrt(-x) * y : 0) + 2 / (1 + y * y) - y + 3 - 2 * x;
  };
  auto by_y = [](double x, double y) {
    return (x < 0 ? std::sqrt(-x) : 0) - 4 * x * y / ((1 + y * y) * (1 + y * y)) - x;
  };
  for (double x : {-2.0, 0.0, 1.5})
    for (double y : {-1.0, 0.0, 2.5}) {
      EXPECT_NEAR(slope(body(seeded(x), V(y))), by_x(x, y), 1e-14);
      EXPECT_NEAR(slope(body(V(x), seeded(y))), by_y(x, y), 1e-14);
      EXPECT_NEAR(slope(body(seeded(x), D(V(y), V(1.0)))), by_x(x, y) + by_y(x, y), 1e-14);
    }
}

TEST(Dual, NestsForASecondDerivative) {
  using DD = Dual<D>;
  DD x(D(V(0.7), V(1.0)), D(V(1.0), V(0.0)));
  expect_close(tanh(x).d.d[0], -2 * std::tanh(0.7) / (std::cosh(0.7) * std::cosh(0.7)), 0.7);
}

}  // namespace
}  // namespace gyre
