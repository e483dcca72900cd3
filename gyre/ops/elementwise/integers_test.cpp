#include <gtest/gtest.h>

#include <cmath>

#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"
#include "tests/thrown.h"

// Integer behaviour that the f64 reference of the conformance tests cannot check.

namespace gyre {
namespace {

template <class T>
Tensor of(std::initializer_list<T> values) {
  return tensor(std::span<const T>(values.begin(), values.size()),
                Shape{static_cast<int64_t>(values.size())});
}

TEST(Shifts, LoseBitsAtTheWidthOfTheDtype) {
  EXPECT_EQ(to_vector<uint32_t>(shift_left(of<uint32_t>({1, 0x80000001u, 3}), 1)),
            (std::vector<uint32_t>{2, 2, 6}));
  EXPECT_EQ(to_vector<uint8_t>(shift_left(of<uint8_t>({0x81, 7}), 1)),
            (std::vector<uint8_t>{2, 14}));
  EXPECT_EQ(
      to_vector<int32_t>(shift_left(of<int32_t>({1, 1, 1, 1}), of<int32_t>({31, 32, 64, -1}))),
      (std::vector<int32_t>{INT32_MIN, 0, 0, 0}));
}

TEST(Shifts, ToTheRightKeepTheSignAndNothingElse) {
  EXPECT_EQ(to_vector<uint32_t>(shift_right(of<uint32_t>({0x80000000u, 5}), 31)),
            (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(to_vector<int64_t>(shift_right(of<int64_t>({-5, 5, -5}), of<int64_t>({1, 1, 99}))),
            (std::vector<int64_t>{-3, 2, -1}));
}

TEST(Bits, OfEveryWidth) {
  EXPECT_EQ(to_vector<uint32_t>(of<uint32_t>({0xF0F0F0F0u}) & of<uint32_t>({0xFF00FF00u})),
            (std::vector<uint32_t>{0xF000F000u}));
  EXPECT_EQ(to_vector<uint8_t>(of<uint8_t>({0x0F}) | of<uint8_t>({0xF0})),
            (std::vector<uint8_t>{0xFF}));
  EXPECT_EQ(to_vector<int8_t>(of<int8_t>({-1}) ^ of<int8_t>({1})), (std::vector<int8_t>{-2}));
  Tensor both = gt(of<float>({1, 1, 0}), 0) & gt(of<float>({1, 0, 0}), 0);
  EXPECT_EQ(both.dtype(), DType::boolean);
  EXPECT_EQ(to_vector<uint8_t>(to(both, DType::u8)), (std::vector<uint8_t>{1, 0, 0}));
}

TEST(Powers, OfIntegersWrapAndHaveNoNegativeExponent) {
  EXPECT_EQ(to_vector<int64_t>(pow(of<int64_t>({100003, -3, 0, 2}), of<int64_t>({2, 3, 0, 62}))),
            (std::vector<int64_t>{10000600009, -27, 1, int64_t{1} << 62}));
  EXPECT_EQ(to_vector<uint8_t>(pow(of<uint8_t>({3, 2, 255}), of<uint8_t>({5, 8, 255}))),
            (std::vector<uint8_t>{243, 0, 255}));
  EXPECT_EQ(to_vector<int32_t>(pow(of<int32_t>({2, -1}), 31)),
            (std::vector<int32_t>{INT32_MIN, -1}));
  Tensor x = of<int64_t>({1, 2, 3}), y = of<int64_t>({1, 0, -3});
  EXPECT_TRUE(contains(message_of(Code::value, [&] { pow(x, y); }), "negative power"));
}

TEST(Division, OfIntegersByZeroIsRefusedAndNamesThePlace) {
  Tensor x = of<int64_t>({1, 2, 3}), y = of<int64_t>({1, 0, 3});
  for (auto* f : {fmod, remainder, floor_divide}) {
    EXPECT_TRUE(contains(message_of(Code::value, [&] { f(x, y); }), "position 1"));
  }
  EXPECT_EQ(to_vector<float>(floor_divide(of<float>({1, -1}), 0.0)),
            (std::vector<float>{INFINITY, -INFINITY}));
}

TEST(Division, RoundsDownAndTheRestFollowsTheDivisor) {
  Tensor x = of<int32_t>({7, -7, 7, -7, INT32_MIN}), y = of<int32_t>({2, 2, -2, -2, -1});
  EXPECT_EQ(to_vector<int32_t>(floor_divide(x, y)),
            (std::vector<int32_t>{3, -4, -4, 3, INT32_MIN}));
  EXPECT_EQ(to_vector<int32_t>(x % y), (std::vector<int32_t>{1, 1, -1, -1, 0}));
  EXPECT_EQ(to_vector<int32_t>(fmod(x, y)), (std::vector<int32_t>{1, -1, 1, -1, 0}));
}

}  // namespace
}  // namespace gyre
