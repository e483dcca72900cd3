#include "gyre/ops/index/subscript.h"

#include <gtest/gtest.h>

#include "tests/elements.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Numbers = std::vector<double>;

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
  EXPECT_EQ(elements(at(x, {Ellipsis, Subscript::at(0)})), (Numbers{0, 4, 8, 12, 16, 20}));
  Tensor part = at(x, {Subscript::at(0), NewAxis, range(-2, INT64_MAX), Ellipsis, NewAxis});
  EXPECT_EQ(part.shape(), (Shape{1, 2, 4, 1}));
  EXPECT_EQ(elements(part), (Numbers{4, 5, 6, 7, 8, 9, 10, 11}));
  part.data<double>()[0] = -1;
  EXPECT_EQ(elements(x)[4], -1) << "a view";
  EXPECT_EQ(at(x, {Subscript::all()}).shape(), x.shape());
  EXPECT_EQ(at(x, {}).shape(), x.shape());
  EXPECT_EQ(at(counting({}), {Ellipsis, NewAxis}).shape(), (Shape{1}));
}

TEST(Subscript, RefusesASecondEllipsis) {
  Error e = error_of([] { at(counting({2, 3}), {Ellipsis, Subscript::at(0), Ellipsis}); });
  EXPECT_EQ(e.code, Code::value);
  EXPECT_STREQ(e.what(), "subscript: expected at most one ellipsis (...)");
}

TEST(Subscript, RefusesMorePartsThanAxes) {
  Error e = error_of([] {
    at(counting({2, 3}), {Subscript::at(0), NewAxis, Subscript::all(), Ellipsis, range(0, 1)});
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

TEST(Subscript, PartsAreReadAndWritten) {
  Tensor x = counting({3, 4});
  EXPECT_EQ(elements(x[1]), (Numbers{4, 5, 6, 7}));
  EXPECT_EQ(x[-1][2].item(), 10);
  EXPECT_EQ(elements(x[Slice(0, 3, 2)]).size(), 8U);
  EXPECT_EQ(elements(x[{Slice(), 1}]), (Numbers{1, 5, 9}));
  EXPECT_EQ((x[{Ellipsis, NewAxis, Slice(1, 3)}]).shape(), (Shape{3, 1, 2}));
  x[0] = 7;
  x[{1, Slice(0, 2)}] = tensor({20, 30});
  x[2] += x[1];
  x[{2, 3}] = x[0][0];
  EXPECT_EQ(elements(x), (Numbers{7, 7, 7, 7, 20, 30, 6, 7, 28, 39, 16, 7}));
  const Tensor big = x[x > 10];
  EXPECT_EQ(elements(big), (Numbers{20, 30, 28, 39, 16}));
  x[x > 10] = 0;
  x[tensor(std::vector<int64_t>{0, 2}, {2})] = x[1];
  EXPECT_EQ(elements(x), (Numbers{0, 0, 6, 7, 0, 0, 6, 7, 0, 0, 6, 7}));
  EXPECT_EQ(code_of([&] { x[5] = 1; }), Code::index);
  EXPECT_EQ(code_of([&] { x[0] = tensor({1, 2}); }), Code::shape);
}

TEST(Subscript, GradientsFlowThroughAssignedParts) {
  Tensor w = tensor({1, 2, 3}).set_requires_grad();
  Tensor y = zeros({2, 3});
  y[0] = w * w;
  y[y > 3] = 0;
  sum(y).backward();
  EXPECT_EQ(elements(w.grad()), (Numbers{2, 0, 0}));
}

}  // namespace
}  // namespace gyre
