#include "gyre/models/supervised/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

TEST(Evaluation, RegressionMetrics) {
  Generator g{1, 0};
  constexpr int64_t kRows = 50, kValues = 2;
  const Tensor y =
      randn({kRows, kValues}, {.generator = &g}) * tensor({1000.0, 0.001}) + tensor({5e6, 0.0});
  Target target;
  target.outputs = kValues;
  target.measure(y);
  const Tensor outputs = randn({kRows, kValues}, {.generator = &g});
  Evaluation evaluation(target);
  evaluation.add(slice(outputs, {0, 0, 20, 1}), slice(y, {0, 0, 20, 1}));
  evaluation.add(slice(outputs, {0, 20, kRows, 1}), slice(y, {0, 20, kRows, 1}));
  const Figures f = evaluation.figures();
  EXPECT_EQ(evaluation.examples(), kRows);

  const auto wanted = to_vector<double>(to(y, DType::f64));
  const auto said = to_vector<double>(target.read(outputs));
  double distance = 0, r2 = 0, loss = 0;
  for (size_t c = 0; c < kValues; ++c) {
    double mean = 0, errors = 0, spread = 0;
    for (size_t i = c; i < wanted.size(); i += kValues) mean += wanted[i] / kRows;
    for (size_t i = c; i < wanted.size(); i += kValues) {
      distance += std::abs(said[i] - wanted[i]) / (kRows * kValues);
      errors += (said[i] - wanted[i]) * (said[i] - wanted[i]);
      spread += (wanted[i] - mean) * (wanted[i] - mean);
    }
    r2 += (1 - errors / spread) / kValues;
    loss += errors / (target.deviation[c] * target.deviation[c] * kRows * kValues);
  }
  EXPECT_NEAR(f.mae, distance, 1e-9 * distance);
  EXPECT_NEAR(f.r2, r2, 1e-9);
  EXPECT_NEAR(f.loss, loss, 1e-5 * loss);
  EXPECT_TRUE(std::isnan(f.accuracy) && std::isnan(f.bits_per_byte));
}

TEST(Evaluation, ClassificationMetrics) {
  Target target;
  target.classes = {"a", "b"};
  target.outputs = 2;
  Evaluation evaluation(target);
  EXPECT_TRUE(std::isnan(evaluation.figures().loss)) << "no examples";
  evaluation.add(tensor({{2.0, 0.0}, {0.0, 2.0}, {0.0, 2.0}}),
                 tensor(std::vector<int64_t>{0, 1, 0}, {3}));
  const Figures f = evaluation.figures();
  EXPECT_NEAR(f.accuracy, 2.0 / 3, 1e-12);
  const double right = std::log1p(std::exp(-2.0));
  EXPECT_NEAR(f.loss, right + 2.0 / 3, 1e-6);
  EXPECT_TRUE(std::isnan(f.r2) && std::isnan(f.mae));
}

TEST(Evaluation, ConstantTargetsHaveNoR2) {
  Target target;
  target.measure(tensor({3.0, 3.0}));
  EXPECT_EQ(target.deviation[0], 1);
  Evaluation evaluation(target);
  evaluation.add(tensor({{1.0}, {2.0}}), tensor({3.0, 3.0}));
  EXPECT_TRUE(std::isnan(evaluation.figures().r2));
  EXPECT_NEAR(evaluation.figures().mae, 1.5, 1e-12);
}

TEST(Evaluation, TargetRoundTrips) {
  Target target;
  target.name = "price";
  target.outputs = 2;
  target.measure(tensor({{1.0, 2.0}, {3.0, 6.0}}));
  const Target again = Target::from_json(target.to_json());
  EXPECT_EQ(again.mean, (std::vector<double>{2, 4}));
  EXPECT_EQ(again.deviation, (std::vector<double>{1, 2}));
  EXPECT_EQ(again.outputs, 2);
  EXPECT_EQ(again.name, "price");
  Target classes;
  classes.classes = {"x", "y", "z"};
  EXPECT_EQ(Target::from_json(classes.to_json()).outputs, 3);
  EXPECT_EQ(code_of([] { Target::from_json(Json::parse(R"({"name": "y"})")); }), Code::parse);
}

}  // namespace
}  // namespace gyre
