#include "gyre/ops/create/create.h"

#include <gtest/gtest.h>

#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Numbers = std::vector<double>;

TEST(Create, FillsEveryDType) {
  for (int d = 0; d < kDTypes; ++d) {
    auto dtype = static_cast<DType>(d);
    EXPECT_EQ(elements(zeros({2, 2}, {dtype})), (Numbers{0, 0, 0, 0}));
    EXPECT_EQ(elements(ones({3}, {dtype})), (Numbers{1, 1, 1}));
    EXPECT_EQ(elements(constant({2, 2}, 1, {dtype})), (Numbers{1, 1, 1, 1}));
    EXPECT_EQ(full_like(transpose(zeros({2, 3}, {dtype}), 0, 1), 1).shape(), (Shape{3, 2}));
    EXPECT_EQ(zeros_like(ones({1}, {dtype})).dtype(), dtype);
  }
  EXPECT_EQ(elements(full({2}, 2.5)), (Numbers{2.5, 2.5}));
  EXPECT_EQ(full({}, 7).item(), 7);
  EXPECT_TRUE(zeros({2}, {.requires_grad = true}).requires_grad());
}

TEST(Create, Sequences) {
  EXPECT_EQ(elements(arange(0, 5)), (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(elements(arange(1, 2, 0.25)), (Numbers{1, 1.25, 1.5, 1.75}));
  EXPECT_EQ(elements(arange(3, -3, -2, {DType::i64})), (Numbers{3, 1, -1}));
  EXPECT_EQ(arange(3, 3).numel(), 0);
  EXPECT_EQ(arange(3, 5, -1).numel(), 0);
  EXPECT_EQ(elements(linspace(0, 1, 5)), (Numbers{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(elements(linspace(2, 9, 1)), Numbers{2});
  EXPECT_EQ(linspace(2, 9, 0).numel(), 0);
  Tensor third = linspace(-1, 1, 100001, {DType::f64});
  EXPECT_EQ(third.data<double>()[0], -1);
  EXPECT_EQ(third.data<double>()[100000], 1);
  EXPECT_EQ(third.data<double>()[50000], 0);
  EXPECT_EQ(elements(eye(2, 3)), (Numbers{1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(eye(0).numel(), 0);
  Tensor large = arange(0, 100000, 1, {DType::i32});
  for (int64_t i = 0; i < 100000; i += 4999) EXPECT_EQ(large.data<int32_t>()[i], i);
}

TEST(Create, AConstantMayRequireAGradient) {
  EXPECT_TRUE(constant({2}, 1, {.requires_grad = true}).requires_grad());
  EXPECT_FALSE(constant({2}, 1).requires_grad());
}

TEST(Create, RefusesBadNumbers) {
  EXPECT_EQ(code_of([] { zeros({-1}); }), Code::value);
  EXPECT_EQ(code_of([] { zeros({int64_t{1} << 60}); }), Code::resource);
  EXPECT_EQ(code_of([] { constant({-1}, 0); }), Code::value);
  EXPECT_EQ(code_of([] { arange(0, 1, 0); }), Code::value);
  EXPECT_EQ(code_of([] { arange(0, INFINITY); }), Code::value);
  EXPECT_EQ(code_of([] { arange(0, 1e300); }), Code::resource);
  EXPECT_EQ(code_of([] { linspace(0, NAN, 3); }), Code::value);
  EXPECT_EQ(code_of([] { linspace(0, 1, -1); }), Code::value);
  EXPECT_EQ(code_of([] { eye(-1); }), Code::value);
  EXPECT_EQ(code_of([] { zeros({2}, {.dtype = DType::i64, .requires_grad = true}); }), Code::dtype);
  EXPECT_EQ(code_of([] { zeros({2}, {.device = {Device::cuda, 0}}); }), Code::unavailable);
}

TEST(Values, FromCppAndBack) {
  EXPECT_EQ(elements(tensor(std::vector<int64_t>{1, 2, 3, 4}, {2, 2})), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(tensor(std::vector<uint8_t>{1}, {1}).dtype(), DType::u8);
  EXPECT_EQ(code_of([] { tensor(std::vector<float>{1, 2}, {3}); }), Code::shape);
  EXPECT_EQ(error_of([] { tensor(std::vector<float>{1, 2}, {-1, -2}); }).op, "tensor");
  Tensor nested = tensor({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8.5}}});
  EXPECT_EQ(nested.shape(), (Shape{2, 2, 2}));
  EXPECT_EQ(elements(nested), (Numbers{1, 2, 3, 4, 5, 6, 7, 8.5}));
  EXPECT_EQ(tensor(2.5).shape(), Shape{});
  EXPECT_EQ(tensor({{}, {}}).shape(), (Shape{2, 0}));
  EXPECT_EQ(code_of([] { tensor({{1, 2}, {3}}); }), Code::shape);
  EXPECT_EQ(code_of([] { tensor({{1, 2}, 3}); }), Code::shape);
  EXPECT_EQ(code_of([] { tensor({1, {2, 3}}); }), Code::shape);
  EXPECT_EQ(code_of([] { tensor({{1}, {{2}}}); }), Code::shape);
  EXPECT_EQ(code_of([] { tensor({{}, {1}}); }), Code::shape);
  Error ragged = error_of([] { tensor({{1, 2}, {3}}); });
  EXPECT_EQ(ragged.expected, "a list of 2");
  EXPECT_EQ(ragged.actual, "a list of 1");
  EXPECT_STREQ(
      error_of([] {
        tensor({{1}, {{2}}});
      }).what(),
      "tensor: expected nested lists of equal length, got a number and a list of 1 at depth 2");
  EXPECT_EQ(error_of([] { tensor({{1, 2}, 3}); }).actual, "a number");
  Tensor turned = transpose(nested, 0, 2);
  EXPECT_EQ(to_vector<float>(turned), (std::vector<float>{1, 5, 3, 7, 2, 6, 4, 8.5}));
  EXPECT_EQ(to_vector<int64_t>(turned), (std::vector<int64_t>{1, 5, 3, 7, 2, 6, 4, 8}));
}

}  // namespace
}  // namespace gyre
