#include "gyre/autograd/gradcheck.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/autograd/test_ops.h"
#include "gyre/base/error.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/norm/norm.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using testing::leaf;
using testing::of;

TEST(Gradcheck, AcceptsRightGradients) {
  auto f = [](Inputs in) -> Tensors {
    return {exp(in[0]) * in[1], sin(in[0] * in[0]), in[0] > in[1], testing::blind(of({1}))};
  };
  Tensors in{leaf({0.1, -0.4, 0.7, 1.1, -2, 0.3}, {2, 3}), leaf({1, 2, 3})};
  for (int64_t jacobian : {0, 1000}) {
    GradcheckOptions options;
    options.jacobian = jacobian;
    GradcheckReport first = gradcheck(f, in, options), second = gradgradcheck(f, in, options);
    EXPECT_TRUE(first) << first.what();
    EXPECT_TRUE(second) << second.what();
    EXPECT_EQ(first.entries.size(), 6u);  // two inputs, three comparisons
    for (const GradcheckEntry& e : first.entries) {
      EXPECT_EQ(e.largest > 0, e.kind != GradcheckEntry::agreement) << first.what();
    }
  }
}

TEST(Gradcheck, FindsAWrongRuleOfEitherOrder) {
  Tensors in{leaf({0.5, 2, -1})};
  auto failing = [](const GradcheckReport& r, GradcheckEntry::Kind kind) {
    bool failed = false;
    for (const GradcheckEntry& e : r.entries) failed |= e.kind == kind && !e.passed;
    return failed;
  };
  GradcheckReport first =
      gradcheck([](Inputs in) -> Tensors { return {testing::wrong_first(in[0])}; }, in);
  EXPECT_TRUE(failing(first, GradcheckEntry::plain)) << first.what();
  EXPECT_FALSE(failing(first, GradcheckEntry::recorded)) << first.what();
  EXPECT_TRUE(failing(first, GradcheckEntry::agreement)) << first.what();
  auto wrong_second = [](Inputs in) -> Tensors { return {testing::wrong_second(in[0])}; };
  GradcheckReport second = gradcheck(wrong_second, in);
  EXPECT_FALSE(failing(second, GradcheckEntry::plain)) << second.what();
  EXPECT_TRUE(failing(second, GradcheckEntry::recorded)) << second.what();
  EXPECT_FALSE(gradgradcheck(wrong_second, in));
  GradcheckOptions options;
  options.both_passes = false;
  EXPECT_TRUE(gradcheck(wrong_second, in, options));
}

TEST(Gradcheck, ReportsTheWorstElement) {
  GradcheckReport r = gradcheck(
      [](Inputs in) -> Tensors {
        return {in[0], testing::wrong_first(in[1])};
      },
      Tensors{leaf({1, 2}), leaf({1, 3, 2})});
  ASSERT_FALSE(r);
  EXPECT_TRUE(r.entries[0].passed);
  const GradcheckEntry& e = r.entries[1];
  EXPECT_EQ(e.input, 1);
  EXPECT_EQ(e.kind, GradcheckEntry::plain);
  EXPECT_EQ(e.element, 1);
  EXPECT_EQ(e.output, 3);
  EXPECT_NEAR(e.analytic, 6.06, 1e-6);
  EXPECT_NEAR(e.numeric, 6, 1e-6);
  EXPECT_NEAR(e.absolute, 0.06, 1e-6);
  EXPECT_NEAR(e.relative, 0.06 / 6.06, 1e-6);
  EXPECT_NEAR(e.mean, (0.02 + 0.06 + 0.04) / 15, 1e-8);
  EXPECT_NE(r.what().find("FAIL input 1"), std::string::npos) << r.what();
}

TEST(Gradcheck, AMissingDependenceIsFound) {
  GradcheckReport r =
      gradcheck([](Inputs in) -> Tensors { return {in[0].detach() * 2.0}; }, Tensors{leaf({1, 2})});
  EXPECT_FALSE(r);
  EXPECT_TRUE(gradcheck([](Inputs) -> Tensors { return {of({1, 2})}; }, Tensors{leaf({1, 2})}));
}

TEST(Gradcheck, NaNIsAFailure) {
  EXPECT_FALSE(gradcheck([](Inputs in) -> Tensors { return {log(in[0])}; }, Tensors{leaf({-1})}));
}

TEST(Gradcheck, SkipsInputsThatDoNotRequireGrad) {
  Tensor index = empty({2}, DType::i64);
  index.data<int64_t>()[0] = 2;
  index.data<int64_t>()[1] = 3;
  auto f = [](Inputs in) -> Tensors { return {in[0] * in[1] * in[2]}; };
  GradcheckReport r = gradcheck(f, Tensors{index, leaf({1.5}), of({2, 2})});
  EXPECT_TRUE(r) << r.what();
  ASSERT_EQ(r.entries.size(), 3u);
  EXPECT_EQ(r.entries[0].input, 1);
  EXPECT_TRUE(gradgradcheck(f, Tensors{index, leaf({1.5}), of({2, 2})}));
  EXPECT_THROW(gradcheck(f, Tensors{index, of({1}), of({2})}), Error);
}

TEST(Gradcheck, EmptyAndZeroDimensional) {
  auto f = [](Inputs in) -> Tensors { return {in[0] * in[1]}; };
  EXPECT_TRUE(gradcheck(f, Tensors{leaf({}, {0, 3}), leaf({2})}));
  EXPECT_TRUE(gradgradcheck(f, Tensors{leaf({3}), leaf({2})}));
}

// One value per row, for rows along any axis, broadcasts as in forward.
TEST(Gradcheck, RowOpsWithNumbersOfFewerAxes) {
  Tensor logits = empty(Shape{4, 2, 3}, DType::f64);
  for (int i = 0; i < 24; ++i) logits.data<double>()[i] = std::sin(i * i);
  logits.set_requires_grad();
  for (int64_t axis : {0, 1, 2}) {
    int64_t last = axis == 2 ? 2 : 3;
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{last}, Shape{1, last}}) {
      Tensor target = empty(shape, DType::i64);
      for (int64_t i = 0; i < target.numel(); ++i) target.data<int64_t>()[i] = i % 2;
      auto f = [&](Inputs in) -> Tensors { return {cross_entropy_rows(in[0], target, {axis})}; };
      GradcheckReport first = gradcheck(f, Tensors{logits}),
                      second = gradgradcheck(f, Tensors{logits});
      EXPECT_TRUE(first) << axis << " " << to_string(shape) << first.what();
      EXPECT_TRUE(second) << axis << " " << to_string(shape) << second.what();
    }
  }
}

TEST(Gradcheck, DifferencesOfOneSide) {
  GradcheckOptions forward, backward;
  forward.differences = Differences::forward;
  backward.differences = Differences::backward;
  auto f = [](Inputs in) -> Tensors { return {in[0] * in[0]}; };
  for (GradcheckOptions* options : {&forward, &backward}) {
    EXPECT_FALSE(gradcheck(f, Tensors{leaf({0.1})}, *options));  // off by eps
    options->rtol = 1e-4;
    EXPECT_TRUE(gradcheck(f, Tensors{leaf({0.1})}, *options));
  }
  // the derivative of relu at 0 is 0, so that of x + relu(x) is the one on the left
  auto kinked = [](Inputs in) -> Tensors { return {in[0] + relu(in[0])}; };
  EXPECT_FALSE(gradcheck(kinked, Tensors{leaf({0})}));
  EXPECT_FALSE(gradcheck(kinked, Tensors{leaf({0})}, forward));
  EXPECT_TRUE(gradcheck(kinked, Tensors{leaf({0})}, backward));
  // x sqrt(x) has no values below 0
  auto border = [](Inputs in) -> Tensors { return {pow(in[0], of({1.5}))}; };
  forward.atol = 1e-2;
  EXPECT_TRUE(gradcheck(border, Tensors{leaf({0})}, forward));
  EXPECT_FALSE(gradcheck(border, Tensors{leaf({0})}, backward));
}

TEST(Gradcheck, OptionsOutOfBounds) {
  const auto code = [](auto member, double value) {
    GradcheckOptions options;
    options.*member = value;
    return code_of(
        [&] { gradcheck([](Inputs in) { return Tensors{in[0]}; }, Tensors{leaf({1})}, options); });
  };
  EXPECT_EQ(code(&GradcheckOptions::eps, 0), Code::value);
  EXPECT_EQ(code(&GradcheckOptions::rtol, -1), Code::value);
  EXPECT_EQ(code(&GradcheckOptions::atol, NAN), Code::value);
}

TEST(Gradcheck, VerbosePrintsTheReport) {
  GradcheckOptions options;
  options.verbose = true;
  ::testing::internal::CaptureStdout();
  const auto f = [](Inputs in) -> Tensors { return {in[0] * 2.0}; };
  const GradcheckReport report = gradcheck(f, Tensors{leaf({1, 2})}, options);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), report.what());
}

TEST(Gradcheck, HalfPrecision) {
  for (DType dtype : {DType::f16, DType::bf16}) {
    Tensor x = empty({3}, dtype);
    for (int i = 0; i < 3; ++i) {
      float v = 0.5f + 0.25f * static_cast<float>(i);
      if (dtype == DType::f16)
        x.data<f16>()[i] = to_f16(v);
      else
        x.data<bf16>()[i] = to_bf16(v);
    }
    x.set_requires_grad();
    auto f = [](Inputs in) -> Tensors { return {exp(in[0]) * in[0]}; };
    GradcheckReport r = gradcheck(f, Tensors{x}, GradcheckOptions::half());
    EXPECT_TRUE(r) << r.what();
    EXPECT_FALSE(gradcheck(f, Tensors{x}));  // f64 tolerances
  }
}

}  // namespace
}  // namespace gyre
