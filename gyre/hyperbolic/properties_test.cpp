// Identities of hyperbolic geometry, on random points of the three models in f64.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gyre/autograd/backward.h"
#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/klein/klein.h"
#include "gyre/hyperbolic/lorentz/lorentz.h"
#include "gyre/hyperbolic/nn/rows/planes.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

constexpr int64_t kRows = 40, kSize = 6;

struct Model {
  const char* name;
  using Two = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, const AxisAttrs&);
  using Number = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, const AxisKeepAttrs&);
  using Three = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                           const AxisAttrs&);
  using One = Tensor (*)(const Tensor&, const Tensor&, const AxisAttrs&);
  Two add, scalar, exp, log;
  One exp0, log0;
  Three transport, gyration, geodesic;
  Number dist, norm;
};
const Model kModels[] = {
    {"poincare", poincare_add, poincare_scalar, poincare_exp, poincare_log, poincare_exp0,
     poincare_log0, poincare_transport, poincare_gyration, poincare_geodesic, poincare_dist,
     poincare_norm},
    {"lorentz", lorentz_add, lorentz_scalar, lorentz_exp, lorentz_log, lorentz_exp0, lorentz_log0,
     lorentz_transport, lorentz_gyration, lorentz_geodesic, lorentz_dist, lorentz_norm},
    {"klein", klein_add, klein_scalar, klein_exp, klein_log, klein_exp0, klein_log0,
     klein_transport, klein_gyration, klein_geodesic, klein_dist, klein_norm},
};

double furthest(const Tensor& a, const Tensor& b) {
  double most = 0;
  std::vector<double> u = elements(a), v = elements(b);
  EXPECT_EQ(u.size(), v.size());
  for (size_t i = 0; i < u.size(); ++i) {
    double d = std::fabs(u[i] - v[i]);
    if (!(d <= most)) most = d;
  }
  return most;
}

class Properties : public ::testing::TestWithParam<Model> {
 protected:
  Samples random{3};
  Tensor c = random.uniform({kRows}, 0.3, 2);
  Tensor tangent() { return random.uniform({kRows, kSize}, -1, 1); }
  Tensor point() { return GetParam().exp0(tangent(), c, {}); }
  static void expect_near(const Tensor& a, const Tensor& b, double bound = 1e-11) {
    EXPECT_LE(furthest(a, b), bound) << GetParam().name;
  }
};

TEST_P(Properties, LeftCancellation) {
  const Model& m = GetParam();
  Tensor x = point(), y = point();
  expect_near(m.add(-x, m.add(x, y, c, {}), c, {}), y);
  expect_near(m.add(x, 0.0 * x, c, {}), x);
  expect_near(m.add(x, -x, c, {}), 0.0 * x);
}

TEST_P(Properties, Gyroassociativity) {
  const Model& m = GetParam();
  Tensor x = point(), y = point(), z = point();
  expect_near(m.add(x, m.add(y, z, c, {}), c, {}),
              m.add(m.add(x, y, c, {}), m.gyration(x, y, z, c, {}), c, {}), 1e-9);
}

TEST_P(Properties, ScalarMultiples) {
  const Model& m = GetParam();
  Tensor x = point(), r = random.uniform({kRows}, -1, 1), s = random.uniform({kRows}, -1, 1);
  expect_near(m.add(m.scalar(r, x, c, {}), m.scalar(s, x, c, {}), c, {}),
              m.scalar(r + s, x, c, {}));
  expect_near(m.scalar(1.0, x, c, {}), x);
}

TEST_P(Properties, RoundTrips) {
  const Model& m = GetParam();
  Tensor x = point(), y = point(), v = tangent();
  expect_near(m.exp(x, m.log(x, y, c, {}), c, {}), y);
  expect_near(m.log0(m.exp0(v, c, {}), c, {}), v);
  expect_near(m.transport(y, x, m.transport(x, y, v, c, {}), c, {}), v, 1e-10);
  expect_near(m.norm(y, m.transport(x, y, v, c, {}), c, {}), m.norm(x, v, c, {}), 1e-10);
  expect_near(m.norm(x, m.log(x, y, c, {}), c, {}), m.dist(x, y, c, {}));
}

// The exponential map of long tangent vectors saturates at the boundary of the ball.
TEST(Balls, LongTangentVectorsReachTheBoundary) {
  Samples random{5};
  for (const Model& m : kModels) {
    if (m.exp == lorentz_exp) continue;
    for (DType dtype : {DType::f32, DType::f64}) {
      Tensor x = to(m.exp0(random.uniform({kRows, kSize}, -1, 1), 1.0, {}), dtype);
      Tensor v = to(random.uniform({kRows, kSize}, -1, 1), dtype);
      for (double length : {50.0, 400.0, 1000.0, 1e6}) {
        Tensor far = v * unsqueeze(length / m.norm(x, v, 1.0, {}), -1);
        far = far.detach().set_requires_grad();
        Tensor z = m.exp(x, far, 1.0, {});
        for (double r : elements(norm(z, -1))) EXPECT_NEAR(r, 1, 1e-6) << m.name << " " << length;
        sum(z).backward();
        EXPECT_TRUE(all(isfinite(far.grad())).item() != 0) << m.name << " " << length;
      }
    }
  }
}

TEST_P(Properties, TriangleInequalityAndLeftInvariance) {
  const Model& m = GetParam();
  Tensor x = point(), y = point(), z = point();
  Tensor over = m.dist(x, y, c, {}) + m.dist(y, z, c, {}) - m.dist(x, z, c, {});
  for (double d : elements(over)) EXPECT_GE(d, 0) << m.name;
  expect_near(m.dist(m.add(z, x, c, {}), m.add(z, y, c, {}), c, {}), m.dist(x, y, c, {}));
}

TEST_P(Properties, GeodesicsDivideTheDistance) {
  const Model& m = GetParam();
  Tensor x = point(), y = point(), t = random.uniform({kRows}, 0, 1);
  Tensor z = m.geodesic(x, y, t, c, {});
  expect_near(m.dist(x, z, c, {}), t * m.dist(x, y, c, {}));
  expect_near(m.dist(z, y, c, {}), (1.0 - t) * m.dist(x, y, c, {}));
}

// Scaling points by 1 / s and c by s^2 scales distances by 1 / s.
TEST_P(Properties, Scaling) {
  const Model& m = GetParam();
  Tensor x = point(), y = point(), s = random.uniform({kRows}, 0.5, 2), wide = unsqueeze(s, 1);
  Tensor k = c * s * s;
  expect_near(m.dist(x / wide, y / wide, k, {}), m.dist(x, y, c, {}) / s);
  expect_near(m.add(x / wide, y / wide, k, {}), m.add(x, y, c, {}) / wide);
}

TEST_P(Properties, FlatLimit) {
  const Model& m = GetParam();
  Tensor x = random.uniform({kRows, kSize}), y = random.uniform({kRows, kSize});
  Tensor flat = 1e-13;
  expect_near(m.add(x, y, flat, {}), x + y);
  expect_near(m.exp0(x, flat, {}), x);
}

INSTANTIATE_TEST_SUITE_P(Models, Properties, ::testing::ValuesIn(kModels),
                         [](const auto& info) { return info.param.name; });

TEST(Conversions, AreIsometries) {
  Samples random{5};
  Tensor c = random.uniform({kRows}, 0.3, 2);
  Tensor x = poincare_exp0(random.uniform({kRows, kSize}), c);
  Tensor y = poincare_exp0(random.uniform({kRows, kSize}), c), d = poincare_dist(x, y, c);
  auto lorentz = [&](const Tensor& p) { return poincare_to_lorentz(p, c); };
  auto klein = [&](const Tensor& p) { return poincare_to_klein(p, c); };
  EXPECT_LE(furthest(lorentz_dist(lorentz(x), lorentz(y), c), d), 1e-12);
  EXPECT_LE(furthest(klein_dist(klein(x), klein(y), c), d), 1e-12);
  EXPECT_LE(furthest(lorentz_to_poincare(lorentz(x), c), x), 1e-13);
  EXPECT_LE(furthest(klein_to_poincare(klein(x), c), x), 1e-13);
  EXPECT_LE(furthest(lorentz_to_klein(lorentz(x), c), klein(x)), 1e-13);
  EXPECT_LE(furthest(klein_to_lorentz(klein(x), c), lorentz(x)), 1e-11);
  Tensor sum = poincare_add(x, y, c);
  EXPECT_LE(furthest(lorentz_add(lorentz(x), lorentz(y), c), lorentz(sum)), 1e-10);
  EXPECT_LE(furthest(klein_add(klein(x), klein(y), c), klein(sum)), 1e-12);
}

TEST(Lorentz, WithTimeLiesOnTheHyperboloid) {
  Samples random{7};
  Tensor c = random.uniform({kRows}, 0.3, 2), x = random.uniform({kRows, kSize}, -5, 5);
  Tensor full = lorentz_with_time(x, c);
  ASSERT_EQ(full.shape(), (Shape{kRows, kSize + 1}));
  Tensor square = full * full, t = slice(square, {1, 0, 1});
  Tensor left = sum(t, 1) - sum(slice(square, {1, 1}), 1);
  EXPECT_LE(furthest(left * c, 1.0 + 0.0 * c), 1e-11);
  EXPECT_LE(furthest(lorentz_without_time(full), x), 0);
}

// c < 0 is the sphere, c = 0 is Euclidean space.
TEST(Ball, SphereAndPlane) {
  Samples random{9};
  Tensor x = random.uniform({kRows, kSize}), y = random.uniform({kRows, kSize});
  for (double c : {-0.7, 0.0, 1e-9, -1e-9}) {
    EXPECT_LE(furthest(poincare_exp(x, poincare_log(x, y, c), c), y), 1e-11) << c;
    EXPECT_LE(furthest(poincare_add(-x, poincare_add(x, y, c), c), y), 1e-11) << c;
  }
  EXPECT_LE(furthest(poincare_dist(x, y, 0.0), poincare_norm(x, y - x, 0.0)), 1e-13);
}

// Antipodes on the sphere, where rounding exceeds the domain of asin.
TEST(Ball, Antipodes) {
  Samples random{9};
  for (double c : {-1.0, -0.7, -3.0}) {
    for (int64_t size : {1, 2, 6}) {
      Tensor x = random.uniform({5000, size}).set_requires_grad();
      Tensor antipode = -x.detach() / (-c * sum(x.detach() * x.detach(), 1, true));
      Tensor half = poincare_dist(x, antipode, c);
      for (double d : elements(half)) EXPECT_NEAR(d, M_PI / std::sqrt(-c), 1e-7) << c;
      sum(half).backward();
      EXPECT_TRUE(all(isfinite(x.grad())).item() != 0) << c;
    }
  }
}

TEST(Ball, OutsideIsNan) {
  for (double edge : {1.0, 1.5, std::numeric_limits<double>::infinity(), std::nan("")}) {
    Tensor out = full({1, 2}, 0.0), in = full({1, 2}, 0.25);
    out.data<float>()[0] = static_cast<float>(edge);
    for (const Tensor& r :
         {poincare_add(out, in, 1.0), poincare_add(in, out, 1.0), poincare_log(in, out, 1.0),
          poincare_exp(out, in, 1.0), poincare_log0(out, 1.0), poincare_dist(in, out, 1.0),
          poincare_lambda(out, 1.0), klein_dist(in, out, 1.0), klein_log0(out, 1.0)}) {
      for (double v : elements(r)) EXPECT_TRUE(std::isnan(v)) << edge;
    }
  }
}

TEST(Curvature, LiteralsAreChecked) {
  Tensor x = zeros({2, 3});
  double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (double c : {inf, -inf, nan}) {
    EXPECT_EQ(code_of([&] { poincare_add(x, x, c); }), Code::value);
    EXPECT_EQ(code_of([&] { poincare_sub(x, x, c); }), Code::value);
  }
  for (double c : {inf, nan, 0.0, -1.0}) {
    EXPECT_EQ(code_of([&] { lorentz_dist(x, x, c); }), Code::value);
    EXPECT_EQ(code_of([&] { klein_sub(x, x, c); }), Code::value);
    EXPECT_EQ(code_of([&] { poincare_to_lorentz(x, c); }), Code::value);
  }
  EXPECT_TRUE(contains(message_of(Code::value, [&] { lorentz_exp0(x, -2); }), "-2"));
  // a tensor is not read
  for (double v : elements(poincare_to_lorentz(x, full({}, NAN)))) EXPECT_TRUE(std::isnan(v));
}

TEST(Ball, ProjectKeepsInside) {
  Samples random{11};
  Tensor x = to(random.uniform({kRows, kSize}, -10, 10), DType::f32);
  Tensor c = random.uniform({kRows}, 0.3, 2), y = poincare_project(x, c);
  for (double v : elements(poincare_dist0(y, c))) {
    EXPECT_TRUE(std::isfinite(v));
    EXPECT_GT(v, 5);
  }
  EXPECT_EQ(elements(poincare_project(x, 1e-4)), elements(x));
}

TEST(Ball, ProjectUsesTheMargin) {
  Tensor x = full({1, 2}, 3.0);
  for (double margin : {kProjectMargin, kGeooptMargin, 0.5}) {
    ProjectAttrs wide{-1, margin};
    for (const Tensor& y : {poincare_project(x, 4.0, wide), klein_project(x, 4.0, wide)}) {
      EXPECT_NEAR(sqrt(sum(y * y)).item(), (1 - margin) / 2, 1e-7);
    }
  }
  for (double margin : {0.0, 1.0, -1.0, std::nan("")}) {
    EXPECT_EQ(code_of([&] { poincare_project(x, 1.0, {-1, margin}); }), Code::value) << margin;
    EXPECT_EQ(code_of([&] { klein_project(x, 1.0, {-1, margin}); }), Code::value) << margin;
  }
}

TEST(Ball, CoincidentPointsHaveGradientZero) {
  Tensor x = full({1, 3}, 0.25), y = full({1, 3}, 0.25);
  x.set_requires_grad();
  Tensor c = full({}, 1.0);
  c.set_requires_grad();
  poincare_dist(x, y, c).backward();
  for (double g : elements(x.grad())) EXPECT_EQ(g, 0);
  EXPECT_EQ(c.grad().item(), 0);
}

TEST(Curved, EmptyAndShort) {
  Tensor none = zeros({0, 3}), flat = zeros({3, 0}), line = full({3, 1}, 0.5);
  EXPECT_EQ(poincare_add(none, none, 1.0).shape(), (Shape{0, 3}));
  EXPECT_EQ(poincare_exp(flat, flat, 1.0).shape(), (Shape{3, 0}));
  for (double d : elements(lorentz_dist(flat, flat, 1.0))) EXPECT_EQ(d, 0);
  for (double t : elements(lorentz_lift(flat, 1.0).time)) EXPECT_EQ(t, 1);
  flat.set_requires_grad();
  Tensor c = full({}, 1.0);
  c.set_requires_grad();
  sum(lorentz_dist(flat, flat, c)).backward();
  EXPECT_EQ(c.grad().item(), 0);
  for (double d : elements(poincare_dist0(line, 1.0))) EXPECT_NEAR(d, std::log(3.0), 1e-6);
}

}  // namespace
}  // namespace gyre
