#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

TEST(Literals, TakeTheDtypeOfWhatTheyMeet) {
  EXPECT_EQ((full({2}, 1, {.dtype = DType::f32}) * 2.5).dtype(), DType::f32);
  EXPECT_EQ((full({2}, 1, {.dtype = DType::i64}) + 1).dtype(), DType::i64);
  EXPECT_EQ((full({2}, 1, {.dtype = DType::i32}) + 0.5).dtype(), DType::f32);
  Tensor big = full({}, 1, {.dtype = DType::i64}) * (int64_t{1} << 60);
  EXPECT_EQ((big + 1).data<int64_t>()[0], (int64_t{1} << 60) + 1);
}

TEST(Literals, MustFit) {
  const Tensor small = full({2}, 5, {.dtype = DType::u8});
  EXPECT_TRUE(contains(message_of(Code::value, [&] { eq(small, 300); }), "300 does not fit u8"));
  EXPECT_EQ(code_of([&] { maximum(small, -1); }), Code::value);
  EXPECT_EQ((small + 255).dtype(), DType::u8);
  const Tensor wide = full({2}, 0, {.dtype = DType::i32});
  EXPECT_EQ(code_of([&] { gt(wide, int64_t{1} << 31); }), Code::value);
  EXPECT_EQ((wide + -(int64_t{1} << 31)).data<int32_t>()[0], INT32_MIN);
  EXPECT_EQ((full({1}, 1, {.dtype = DType::i64}) + INT64_MIN).dtype(), DType::i64);
  EXPECT_EQ((full({1}, 1.0) + (int64_t{1} << 40)).dtype(), DType::f32);
}

TEST(Literals, OfTruthLeaveTheDtype) {
  const Tensor mask = gt(tensor({1.0, 2.0}), 1.5);
  EXPECT_EQ(logical_and(mask, true).dtype(), DType::boolean);
  EXPECT_EQ(bitwise_and(mask, true).dtype(), DType::boolean);
  EXPECT_EQ(where(mask, true, false).dtype(), DType::boolean);
  EXPECT_EQ((full({1}, 2, {.dtype = DType::u8}) + true).dtype(), DType::u8);
}

TEST(Literals, AreComparedInTheDtypeOfTheTensor) {
  EXPECT_TRUE(eq(full({}, 0.1, {.dtype = DType::f32}), 0.1).item());
  EXPECT_FALSE(lt(full({}, 0.1, {.dtype = DType::f32}), 0.1).item());
}

TEST(Literals, StayWeakThroughWhere) {
  Tensor chosen = where(gt(full({2}, 1.0), 0.5), 1.0, 0.0);
  EXPECT_EQ((full({2}, 3.0, {.dtype = DType::f32}) * chosen).dtype(), DType::f32);
}

TEST(Where, WantsABooleanCondition) {
  EXPECT_EQ(code_of([] { where(full({2}, 0.5), 1.0, 0.0); }), Code::dtype);
}

}  // namespace
}  // namespace gyre
