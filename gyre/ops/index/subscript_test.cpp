#include "gyre/ops/index/subscript.h"

#include <gtest/gtest.h>

#include "tests/elements.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Numbers = std::vector<double>;

constexpr Subscript kEllipsis{Subscript::ellipsis}, kNewAxis{Subscript::new_axis};

Subscript range(int64_t start, int64_t stop, int64_t step = 1) {
  return {Subscript::range, start, stop, step};
}
Tensor at(const Tensor& x, std::initializer_list<Subscript> parts) {
  return subscript(x, std::span<const Subscript>(parts.begin(), parts.size()));
}

TEST(Subscript, NamesAPartOfTheMemory) {
  Tensor x = counting({2, 3, 4});
  EXPECT_EQ(elements(at(x, {Subscript::at(1), Subscript::at(-1), range(1, INT64_MAX, 2)})),
            (Numbers{21, 23}));
  EXPECT_EQ(elements(at(x, {kEllipsis, Subscript::at(0)})), (Numbers{0, 4, 8, 12, 16, 20}));
  Tensor part = at(x, {Subscript::at(0), kNewAxis, range(-2, INT64_MAX), kEllipsis, kNewAxis});
  EXPECT_EQ(part.shape(), (Shape{1, 2, 4, 1}));
  EXPECT_EQ(elements(part), (Numbers{4, 5, 6, 7, 8, 9, 10, 11}));
  part.data<double>()[0] = -1;
  EXPECT_EQ(elements(x)[4], -1) << "a view";
  EXPECT_EQ(at(x, {Subscript::all()}).shape(), x.shape());
  EXPECT_EQ(at(x, {}).shape(), x.shape());
  EXPECT_EQ(at(counting({}), {kEllipsis, kNewAxis}).shape(), (Shape{1}));
}

TEST(Subscript, RefusesASecondEllipsis) {
  Error e = error_of([] { at(counting({2, 3}), {kEllipsis, Subscript::at(0), kEllipsis}); });
  EXPECT_EQ(e.code, Code::value);
  EXPECT_STREQ(e.what(), "subscript: expected at most one ellipsis (...)");
}

TEST(Subscript, RefusesMorePartsThanAxes) {
  Error e = error_of([] {
    at(counting({2, 3}), {Subscript::at(0), kNewAxis, Subscript::all(), kEllipsis, range(0, 1)});
  });
  EXPECT_EQ(e.code, Code::index);
  EXPECT_STREQ(e.what(), "subscript: too many indices: 3 for a tensor with 2 axes");
  EXPECT_EQ(e.expected, "2");
  EXPECT_EQ(e.actual, "3");
}

TEST(Subscript, RefusesPlacesOutsideAndStepsBelowOne) {
  Tensor x = counting({2, 3});
  EXPECT_EQ(code_of([&] { at(x, {Subscript::all(), Subscript::at(3)}); }), Code::index);
  EXPECT_EQ(code_of([&] { at(x, {Subscript::at(-3)}); }), Code::index);
  EXPECT_EQ(code_of([&] { at(x, {range(0, 2, 0)}); }), Code::value);
  EXPECT_EQ(code_of([&] { at(x, {range(1, 0, -1)}); }), Code::value);
}

}  // namespace
}  // namespace gyre
