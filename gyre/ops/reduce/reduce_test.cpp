#include "gyre/ops/reduce/reduce.h"

#include <gtest/gtest.h>

#include "tests/elements.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Numbers = std::vector<double>;

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

}  // namespace
}  // namespace gyre
