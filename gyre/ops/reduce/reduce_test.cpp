#include "gyre/ops/reduce/reduce.h"

#include <gtest/gtest.h>

#include "gyre/ops/create/create.h"
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
