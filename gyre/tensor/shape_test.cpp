#include "gyre/tensor/shape.h"

#include <gtest/gtest.h>

#include <vector>

#include "gyre/base/error.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

TEST(Shape, HoldsUpToSixteenNumbers) {
  Shape s;
  for (int i = 0; i < kMaxRank; ++i) s.push_back(i);
  EXPECT_EQ(s.rank, 16);
  EXPECT_EQ(s.back(), 15);
  EXPECT_EQ(s.back(15), 0);
  EXPECT_TRUE(s.contains(7));
  EXPECT_FALSE(s.contains(16));
  EXPECT_EQ(error_of([&] { s.push_back(1); }).code, Code::shape);
  EXPECT_EQ(error_of([] { Shape{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}; }).code,
            Code::shape);
  std::vector<int64_t> seventeen(17, 1);
  EXPECT_EQ(error_of([&] { Shape{std::span<const int64_t>(seventeen)}; }).code, Code::shape);
}

TEST(Shape, EqualityLooksAtTheFilledPartOnly) {
  Shape a{2, 3}, b{2, 3, 4};
  EXPECT_FALSE(a == b);
  b.rank = 2;
  EXPECT_TRUE(a == b);
  EXPECT_FALSE((Shape{2, 4} == a));
  EXPECT_EQ(to_string(a), "[2, 3]");
  EXPECT_EQ(to_string(Shape{}), "[]");
}

TEST(Shape, ElementsAndStrides) {
  EXPECT_EQ(numel(Shape{}), 1);
  EXPECT_EQ(numel(Shape{2, 3, 4}), 24);
  EXPECT_EQ(numel(Shape{2, 0, 4}), 0);
  EXPECT_EQ(contiguous_strides(Shape{2, 3, 4}), (Shape{12, 4, 1}));
  EXPECT_TRUE(is_contiguous(Shape{2, 3}, Shape{3, 1}));
  EXPECT_FALSE(is_contiguous(Shape{2, 3}, Shape{1, 2}));
  EXPECT_FALSE(is_contiguous(Shape{2, 3}, Shape{4, 1}));
  EXPECT_TRUE(is_contiguous(Shape{2, 1, 3}, Shape{3, 99, 1}));
  EXPECT_TRUE(is_contiguous(Shape{2, 0}, Shape{5, 7}));
  EXPECT_TRUE(is_contiguous(Shape{}, Shape{}));
}

TEST(Axes, NegativeOnesCountFromTheEnd) {
  EXPECT_EQ(normalize_axis(-1, 3, "op"), 2);
  EXPECT_EQ(normalize_axis(2, 3, "op"), 2);
  EXPECT_EQ(normalize_axis(0, 0, "op"), 0);
  EXPECT_EQ(normalize_axis(-1, 0, "op"), 0);
  for (int64_t axis : {int64_t{3}, int64_t{-4}, INT64_MAX, INT64_MIN}) {
    Error e = error_of([&] { normalize_axis(axis, 3, "op"); });
    EXPECT_EQ(e.code, Code::index);
    EXPECT_EQ(e.op, "op");
    EXPECT_EQ(e.expected, "-3..2");
    EXPECT_EQ(e.actual, std::to_string(axis));
  }
  EXPECT_EQ(error_of([] { normalize_axis(1, 0, "op"); }).code, Code::index);
}

TEST(Axes, AreSortedAndMustDiffer) {
  EXPECT_EQ(normalize_axes(Shape{-1, 0}, 3, "op"), (Shape{0, 2}));
  EXPECT_EQ(normalize_axes(Shape{}, 3, "op"), Shape{});
  Error e = error_of([] { normalize_axes(Shape{1, -2}, 3, "op"); });
  EXPECT_EQ(e.code, Code::value);
  EXPECT_EQ(e.op, "op");
  EXPECT_EQ(error_of([] { normalize_axes(Shape{3}, 3, "op"); }).code, Code::index);
}

TEST(Broadcast, FollowsNumPy) {
  EXPECT_EQ(broadcast(Shape{2, 1, 4}, Shape{3, 1}, "op"), (Shape{2, 3, 4}));
  EXPECT_EQ(broadcast(Shape{}, Shape{3}, "op"), (Shape{3}));
  EXPECT_EQ(broadcast(Shape{1}, Shape{0}, "op"), (Shape{0}));
  EXPECT_EQ(broadcast(Shape{0, 3}, Shape{1, 1}, "op"), (Shape{0, 3}));
  for (auto [a, b] :
       {std::pair{Shape{2}, Shape{3}}, {Shape{2, 3}, Shape{2}}, {Shape{0}, Shape{2}}}) {
    Error e = error_of([&] { broadcast(a, b, "op"); });
    EXPECT_EQ(e.code, Code::shape);
    EXPECT_EQ(e.op, "op");
    EXPECT_EQ(e.expected, to_string(a));
    EXPECT_EQ(e.actual, to_string(b));
  }
}

TEST(CheckShape, RefusesNegativeAndHugeSizes) {
  check_shape(Shape{2, 0, 3}, 8, "op");
  check_shape(Shape{int64_t{1} << 62}, 1, "op");
  check_shape(Shape{int64_t{1} << 40, int64_t{1} << 40, 0}, 8, "op");  // no elements
  Error negative = error_of([] { check_shape(Shape{2, -1}, 4, "op"); });
  EXPECT_EQ(negative.code, Code::value);
  EXPECT_EQ(negative.op, "op");
  EXPECT_EQ(error_of([] { check_shape(Shape{-1, 0}, 4, "op"); }).code, Code::value);
  EXPECT_EQ(error_of([] { check_shape(Shape{int64_t{1} << 60}, 8, "op"); }).code, Code::resource);
  Error huge = error_of([] { check_shape(Shape{int64_t{1} << 32, int64_t{1} << 32}, 1, "op"); });
  EXPECT_EQ(huge.code, Code::resource);
}

}  // namespace
}  // namespace gyre
