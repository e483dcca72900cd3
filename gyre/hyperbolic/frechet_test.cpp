#include <gtest/gtest.h>

#include <cmath>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/vmap.h"
#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/klein/klein.h"
#include "gyre/hyperbolic/lorentz/lorentz.h"
#include "gyre/hyperbolic/sets.h"
#include "gyre/op/call_observer.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// Points at distance about `reach` from the origin, c = 1.
Tensor points(Samples& random, const Shape& shape, double reach) {
  Tensor v = random.uniform(shape);
  return poincare_exp0(v * (reach / 2 / sqrt(sum(v * v, {{-1}, true}))), 1.0);
}

TEST(Midpoint, OfWeightsZeroIsTheOrigin) {
  const Tensor x = tensor({0.1, 0.2, 0.3, -0.1}, {DType::f64});
  const Tensor rows = reshape(x, {2, 2}), none = zeros({2}, {DType::f64});
  for (const double c : {-1.0, 0.0, 1.0}) {
    EXPECT_EQ(elements(poincare_midpoint(rows, none, c)), (std::vector<double>{0, 0})) << c;
  }
  EXPECT_EQ(elements(lorentz_midpoint(rows, none, 1.0)), (std::vector<double>{0, 0}));
  EXPECT_EQ(elements(klein_midpoint(rows, none, 1.0)), (std::vector<double>{0, 0}));
}

TEST(Midpoint, IsTheMeanWhereSpaceIsFlat) {
  const Tensor rows = reshape(tensor({0.1, 0.2, 0.3, -0.1}, {DType::f64}), {2, 2});
  const Tensor flat = poincare_midpoint(rows, ones({2}, {DType::f64}), 0.0);
  EXPECT_LE(largest_difference(flat, tensor({0.2, 0.05}, {DType::f64})), 1e-16);
}

TEST(FrechetMean, LogarithmsSumToZero) {
  for (double reach : {1e-3, 1.0, 5.0, 14.0}) {
    Samples random{17};
    Tensor x = points(random, {3, 9, 4}, reach), w = random.uniform({3, 9}, 0.1, 2);
    Tensor m = poincare_frechet_mean(x, w, 1.0);
    Tensor pull = sum(unsqueeze(w, -1) * poincare_log(unsqueeze(m, -2), x, 1.0), -2);
    Tensor defect = 2.0 / poincare_lambda(m, 1.0);
    for (double left : elements(sqrt(sum(pull * pull, -1)) / defect)) {
      EXPECT_LE(left, 1e-14 * std::exp(reach)) << reach;
    }
  }
}

// Equivariance: the mean of a translated set is the translated mean.
TEST(FrechetMean, IsEquivariantUnderTranslation) {
  Samples random{19};
  Tensor x = points(random, {7, 3}, 2), w = random.uniform({7}, 0.1, 2);
  for (double far : {1.0, 6.0, 10.0}) {
    Tensor z = points(random, {1, 3}, far);
    Tensor moved = poincare_frechet_mean(poincare_add(z, x, 1.0), w, 1.0);
    Tensor there = poincare_add(squeeze(z, {0}), poincare_frechet_mean(x, w, 1.0), 1.0);
    EXPECT_LE(poincare_dist(moved, there, 1.0).item(), 1e-14 * std::exp(far)) << far;
  }
}

TEST(FrechetMean, OfTwoPointsLiesOnTheGeodesic) {
  Samples random{23};
  Tensor x = points(random, {2, 3}, 3);
  Tensor m = poincare_frechet_mean(x, tensor({3, 1}, {DType::f64}), 1.0);
  Tensor quarter = poincare_geodesic(select(x, {0, 0}), select(x, {0, 1}), 0.25, 1.0);
  EXPECT_LE(largest_difference(m, quarter), 1e-14);
}

TEST(FrechetMean, AgreesAcrossModels) {
  Samples random{29};
  Tensor c = random.uniform({4}, 0.3, 2), rows = unsqueeze(c, -1);
  Tensor x = random.uniform({4, 5, 3}, -0.3, 0.3), w = random.uniform({4, 5}, 0.1, 2);
  Tensor m = poincare_frechet_mean(x, w, c);
  Tensor l = lorentz_frechet_mean(poincare_to_lorentz(x, rows), w, c);
  Tensor k = klein_frechet_mean(poincare_to_klein(x, rows), w, c);
  EXPECT_LE(largest_difference(lorentz_to_poincare(l, c), m), 1e-14);
  EXPECT_LE(largest_difference(klein_to_poincare(k, c), m), 1e-14);
}

// A set without a mean does not affect other sets.
TEST(FrechetMean, IsNanIfUndefined) {
  Samples random{31};
  Tensor x = to(points(random, {3, 4, 2}, 1), DType::f32), w = ones({3, 4});
  Tensor alone = poincare_frechet_mean(select(x, {0, 0}), select(w, {0, 0}), 1.0);
  x.data<float>()[8] = 1.5F;                            // outside the ball, in the second set
  for (int i = 8; i < 12; ++i) w.data<float>()[i] = 0;  // the third set
  std::vector<double> m = elements(poincare_frechet_mean(x, w, 1.0)), first = elements(alone);
  for (size_t i = 0; i < 2; ++i)
    EXPECT_FLOAT_EQ(static_cast<float>(m[i]), static_cast<float>(first[i]));
  for (size_t i = 2; i < 6; ++i) EXPECT_TRUE(std::isnan(m[i])) << i;
  for (double e : elements(klein_frechet_mean(zeros({0, 2}), zeros({0}), 1.0)))
    EXPECT_TRUE(std::isnan(e));
}

TEST(FrechetMean, CurvatureIsChecked) {
  Tensor x = zeros({3, 2}), w = ones({3});
  for (double c : {0.0, -1.0, std::nan("")}) {
    EXPECT_EQ(code_of([&] { lorentz_frechet_mean(x, w, c); }), Code::value) << c;
  }
  EXPECT_EQ(code_of([&] { poincare_frechet_mean(x, w, std::nan("")); }), Code::value);
}

// The weighted mean of Euclidean space; on the sphere the logarithms sum to zero, also where the
// Hessian is far from that of Euclidean space.
TEST(FrechetMean, OfFlatSpaceAndTheSphere) {
  Samples random{41};
  Tensor x = random.uniform({6, 3}, -0.6, 0.6), w = random.uniform({6}, 0.5, 2);
  Tensor flat = sum(unsqueeze(w, -1) * x, -2) / sum(w, -1);
  EXPECT_LE(largest_difference(poincare_frechet_mean(x, w, 0.0), flat), 1e-15);
  for (double c : {-1e-6, -0.5, -1.0, -2.5}) {
    Tensor m = poincare_frechet_mean(x, w, c);
    Tensor pull = sum(unsqueeze(w, -1) * poincare_log(expand(m, x.shape()), x, c), 0);
    EXPECT_LE(largest_difference(pull, zeros({3}, {.dtype = DType::f64})), 1e-12) << c;
  }
}

// Counts calls of the calling thread while it exists.
class CountedCalls final : public CallObserver {
 public:
  int count = 0;

 private:
  void call(const ObservedCall&) override { ++count; }
  ThreadObserver scope_{*this};
};

// A space of negative c is curved the other way, by as much: a mean takes about as many steps.
TEST(FrechetMean, TakesAsManyStepsOnTheSphere) {
  Samples random{43};
  Tensor x = random.uniform({6, 3}, -0.3, 0.3), w = random.uniform({6}, 0.5, 2);
  auto calls = [&](double c) {
    CountedCalls counted;
    poincare_frechet_mean(x, w, c);
    return counted.count;
  };
  EXPECT_LE(calls(-0.5), 2 * calls(0.5));
}

// Per-slice gradients inside vmap(), where the whole batch is solved at once.
TEST(FrechetMean, GradientsInsideVmap) {
  Samples random{37};
  Tensor x = points(random, {3, 5, 2}, 1.5), w = random.uniform({5}, 0.5, 2);
  auto slope = [&](const Tensor& one) {
    auto length = [&](const Tensor& at) {
      return poincare_dist0(poincare_frechet_mean(at, w, 1.0), 1.0);
    };
    return grad(length, one);
  };
  Tensor whole = vmap(slope)(x);
  for (int64_t i = 0; i < 3; ++i) {
    EXPECT_LE(largest_difference(select(whole, {0, i}), slope(select(x, {0, i}))), 1e-13);
  }
}

}  // namespace
}  // namespace gyre
