#include "gyre/ops/reduce/reduce.h"

#include <gtest/gtest.h>

#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Numbers = std::vector<double>;

TEST(Reductions, TakeAnAxisByItsNumber) {
  Tensor x = counting({2, 3});
  EXPECT_EQ(elements(sum(x, 1)), (Numbers{3, 12}));
  EXPECT_EQ(sum(x, -1, true).shape(), (Shape{2, 1}));
  EXPECT_EQ(elements(mean(x, size_t{0})), (Numbers{1.5, 2.5, 3.5}));
  EXPECT_EQ(elements(max(x, int64_t{1})), (Numbers{2, 5}));
  EXPECT_EQ(elements(min(x, 0)), (Numbers{0, 1, 2}));
  EXPECT_EQ(elements(argmax(x, 0)), (Numbers{1, 1, 1}));
  EXPECT_EQ(elements(argmin(x, 1)), (Numbers{0, 0}));
  EXPECT_EQ(elements(sum(x, {})), (Numbers{15})) << "all axes";
  EXPECT_EQ(sum(x, {{0, 1}, true}).shape(), (Shape{1, 1}));
}

TEST(Prod, DividesByNothingInItsGradient) {
  Tensor x = tensor_of({2, 0, 3}).set_requires_grad();
  prod(x).backward();
  EXPECT_EQ(elements(x.grad()), (Numbers{0, 6, 0}));
  Tensor y = tensor_of({0, 5, 0}).set_requires_grad();
  prod(y).backward();
  EXPECT_EQ(elements(y.grad()), (Numbers{0, 0, 0}));
  EXPECT_EQ(prod(to(x.detach(), DType::boolean)).dtype(), DType::i64);
}

TEST(Prod, OfPartsThatOverflowHasAGradient) {
  Tensor x = full({4}, 1e30, {DType::f32});
  x = cat({x, full({4}, 1e-30, {DType::f32})}, 0).detach().set_requires_grad();
  prod(x).backward();
  EXPECT_NEAR(x.grad().data<float>()[4], 1e30f, 1e24f);
}

TEST(Truth, SeesWhatIsNotZero) {
  Tensor x = tensor_of({0, 0.25, NAN});
  EXPECT_EQ(any(x).item(), 1);
  EXPECT_EQ(all(x).item(), 0);
  EXPECT_EQ(any(x, 0).dtype(), DType::boolean);
  EXPECT_EQ(elements(all(counting({2, 2}), 1)), (Numbers{0, 1}));
}

TEST(Moments, KeepTheirDigitsFarFromZero) {
  Tensor x = to(counting({1000}) * 0.001 + 1e4, DType::f32);
  double mean = 0, squares = 0;
  for (double v : elements(x)) mean += v / 1000;
  for (double v : elements(x)) squares += (v - mean) * (v - mean);
  EXPECT_NEAR(var(x).item(), squares / 999, 1e-7 * squares / 999);
  EXPECT_NEAR(std(x, MomentAttrs{{}, false, 0}).item(), std::sqrt(squares / 1000), 1e-7);
  EXPECT_EQ(var(x, 0, true).shape(), (Shape{1}));
}

TEST(Moments, OfTooFewAreNotANumber) {
  EXPECT_TRUE(std::isnan(var(ones({1})).item()));
  EXPECT_TRUE(std::isnan(gyre::std(zeros({0})).item()));
  EXPECT_EQ(var(ones({1}), MomentAttrs{{}, false, 0}).item(), 0);
}

TEST(Norm, NeitherOverflowsNorVanishes) {
  for (double size : {1e30, 1e-30}) {
    for (double p : {2.0, 3.0, -2.0}) {
      Tensor x = full({4}, size, {DType::f32});
      double wanted = std::pow(4, 1 / p) * size;
      EXPECT_NEAR(norm(x, {{}, false, p}).item(), wanted, 1e-6 * wanted) << p;
    }
  }
  EXPECT_EQ(norm(full({3}, 1e200, {DType::f64})).item(), std::sqrt(3) * 1e200);
  EXPECT_EQ(norm(tensor_of({1, -INFINITY})).item(), INFINITY);
  EXPECT_TRUE(std::isnan(norm(tensor_of({1, NAN})).item()));
}

TEST(Norm, HasNoGradientAtTheZeroVector) {
  for (double p : Numbers{0, 1, 2, 0.5, 3, -1, INFINITY, -INFINITY}) {
    Tensor x = zeros({3}, {DType::f64, {}, true});
    norm(x, {{}, false, p}).backward();
    EXPECT_EQ(elements(x.grad()), (Numbers{0, 0, 0})) << p;
  }
}

TEST(SumTo, AddsUpWhatBroadcastingRepeated) {
  Tensor x = counting({2, 3});
  EXPECT_EQ(elements(sum_to(x, {3})), (Numbers{3, 5, 7}));
  EXPECT_EQ(elements(sum_to(x, {1, 3})), (Numbers{3, 5, 7}));
  EXPECT_EQ(elements(sum_to(x, {2, 1})), (Numbers{3, 12}));
  EXPECT_EQ(elements(sum_to(x, {})), (Numbers{15}));
  EXPECT_EQ(sum_to(x, {2, 1}).shape(), (Shape{2, 1}));
  EXPECT_EQ(sum_to(x, {2, 3}).impl(), x.impl());
}

TEST(SumTo, RefusesShapesThatDoNotBroadcastToIt) {
  Tensor x = counting({2, 3});
  for (const Shape& shape : {Shape{2}, Shape{3, 3}, Shape{2, 2, 3}, Shape{1, 1, 3}}) {
    EXPECT_EQ(code_of([&] { sum_to(x, shape); }), Code::shape) << to_string(shape);
  }
  EXPECT_EQ(code_of([&] { sum_to(counting({1, 3}), {2, 3}); }), Code::shape);
}

TEST(Extremum, SharesItsGradientAmongMoreEqualsThanF16Counts) {
  for (DType dtype : {DType::f16, DType::bf16, DType::f32}) {
    Tensor x = zeros({70000}, {dtype, {}, true});
    max(x).backward();
    EXPECT_EQ(x.grad().dtype(), dtype);
    Tensor share = full({}, 1.0 / 70000, {dtype});
    EXPECT_EQ(max(x.grad()).item(), share.item()) << name_of(dtype);
    EXPECT_EQ(min(x.grad()).item(), share.item()) << name_of(dtype);
  }
}

}  // namespace
}  // namespace gyre
