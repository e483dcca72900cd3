#include "gyre/ops/loss/loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gyre/autograd/backward.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

TEST(Mse, WantsEqualShapes) {
  Error e = error_of([] { mse(ones({8, 1}), ones({8})); });
  EXPECT_EQ(e.code, Code::shape);
  EXPECT_EQ(e.expected, "[8, 1]");
  EXPECT_EQ(e.actual, "[8]");
}

TEST(Bce, HoldsLogarithmsAndRefusesNothing) {
  Tensor x = tensor({0, 1, 1, 0, -0.1, 1.1}), y = tensor({0, 1, 0, 1, 0, 1});
  std::vector<double> seen = elements(bce(x, y, {Reduction::none}));
  EXPECT_EQ(std::vector<double>(seen.begin(), seen.begin() + 4),
            (std::vector<double>{0, 0, 100, 100}));
  EXPECT_TRUE(std::isnan(seen[4]) && std::isnan(seen[5])) << "no probabilities";
}

TEST(BceWithLogits, LosesNothingFarFromZero) {
  Tensor x = tensor({-30, 30}, {DType::f64}), y = tensor({0, 1}, {DType::f64});
  for (double v : elements(bce_with_logits(x, y, {Reduction::none}))) {
    EXPECT_NEAR(v / std::log1p(std::exp(-30.0)), 1, 1e-15);
  }
  EXPECT_EQ(elements(bce_with_logits(x, y, {Reduction::sum}, tensor({1, 3}, {DType::f64}))),
            (std::vector<double>{4 * std::log1p(std::exp(-30.0))}));
}

TEST(Huber, IsSmoothL1TimesDelta) {
  Tensor x = tensor({0, 1, -5}, {DType::f64}), y = tensor({0, 0.5, 0}, {DType::f64});
  EXPECT_EQ(elements(huber(x, y, {2, Reduction::none})), (std::vector<double>{0, 0.125, 8}));
  EXPECT_EQ(elements(smooth_l1(x, y, {2, Reduction::none})), (std::vector<double>{0, 0.0625, 4}));
  EXPECT_EQ(elements(smooth_l1(x, y, {0, Reduction::none})), elements(l1(x, y, {Reduction::none})));
}

TEST(Huber, IsCurvedWhereXIsY) {
  Tensor x = tensor({1}, {.dtype = DType::f64, .requires_grad = true});
  Tensor g = grad(huber(x, tensor({1}, {DType::f64})), x, {.create_graph = true});
  EXPECT_EQ(elements(grad(g, x)), (std::vector<double>{1}));
}

TEST(Huber, HasTheSlopeOfAbsAtInfinity) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto slopes = [&](auto loss) {
    const Tensor x = tensor({inf, -inf}, {.dtype = DType::f64, .requires_grad = true});
    return elements(grad(loss(x, zeros({2}, {DType::f64})), x));
  };
  EXPECT_EQ(slopes([](const Tensor& x, const Tensor& y) {
              return huber(x, y, {2, Reduction::sum});
            }),
            (std::vector<double>{2, -2}));
  EXPECT_EQ(slopes([](const Tensor& x, const Tensor& y) {
              return smooth_l1(x, y, {2, Reduction::sum});
            }),
            (std::vector<double>{1, -1}));
}

TEST(CrossEntropy, NamesLogitsAndTarget) {
  Error e = error_of([] { cross_entropy(ones({2, 3}), zeros({2, 3}, {DType::i64})); });
  EXPECT_EQ(e.code, Code::shape);
  EXPECT_STREQ(e.what(), "cross_entropy: logits [2, 3] requires target of shape [2], got [2, 3]");
  EXPECT_EQ(e.expected, "[2]");
  EXPECT_EQ(e.actual, "[2, 3]");
  EXPECT_EQ(code_of([] {
              cross_entropy(ones({2, 3}), zeros({1}, {DType::i64}));
            }),
            Code::shape)
      << "nothing is broadcast";
}

TEST(CrossEntropy, IsExactForLargeLogits) {
  Tensor x = tensor({{1e4, -1e4, 1e4 - 1}, {-1e4, 1e4, 0}}, {.requires_grad = true});
  Tensor loss = cross_entropy(x, tensor({2, 0}, {DType::i64}), {.reduction = Reduction::none});
  std::vector<double> seen = elements(loss);
  EXPECT_NEAR(seen[0], 1 + std::log1p(std::exp(-1.0)), 1e-6);
  EXPECT_EQ(seen[1], 2e4);
  sum(loss).backward();
  std::vector<double> slope = elements(x.grad());
  EXPECT_NEAR(slope[0], 1 / (1 + std::exp(-1.0)), 1e-6);
  EXPECT_EQ(std::vector<double>(slope.begin() + 3, slope.end()), (std::vector<double>{-1, 1, 0}));
}

TEST(CrossEntropy, WithoutAnyTargetThatCounts) {
  Tensor x = ones({2, 3}, {.requires_grad = true}), t = full({2}, -100, {DType::i64});
  EXPECT_TRUE(std::isnan(cross_entropy(x, t).item()));
  EXPECT_TRUE(std::isnan(nll(x, t).item()));
  cross_entropy(x, t).backward();
  EXPECT_EQ(elements(x.grad()), std::vector<double>(6, 0.0)) << "nothing to learn, no harm";
  Tensor loss = cross_entropy(x, t, {.reduction = Reduction::sum});
  EXPECT_EQ(loss.item(), 0);
  loss.backward();
  EXPECT_EQ(elements(x.grad()), std::vector<double>(6, 0.0));
}

TEST(CrossEntropy, ClassesThatCannotBe) {
  Tensor x = tensor({{0, -INFINITY, 0}}), t = tensor({2}, {DType::i64});
  Tensor weight = tensor({1, 2, 3}), one = tensor({{0, 0, 1}});
  double two = std::log(2.0);
  EXPECT_NEAR(cross_entropy(x, t).item(), two, 1e-6);
  EXPECT_NEAR(cross_entropy(x, t, {.reduction = Reduction::sum}, weight).item(), 3 * two, 1e-6);
  EXPECT_NEAR(cross_entropy(x, one).item(), two, 1e-6);
}

TEST(CrossEntropy, OfManyRowsOf16Bits) {
  Tensor x = zeros({20000, 400}, {DType::f16}), t = zeros({20000}, {DType::i64});
  EXPECT_NEAR(cross_entropy(x, t).item(), std::log(400.0), 0.004) << "their sum is beyond f16";
}

TEST(CrossEntropy, SaysWhatTargetsThereAre) {
  Error e = error_of([] { cross_entropy(ones({2, 3}), full({2}, 9, {DType::i64})); });
  EXPECT_EQ(e.code, Code::index);
  EXPECT_TRUE(contains(e.what(), "target 9 at position 0 is out of range [0, 3)")) << e.what();
  EXPECT_EQ(e.expected, "[0, 3)");
  EXPECT_EQ(e.actual, "9");
}

}  // namespace
}  // namespace gyre
