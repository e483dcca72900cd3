// Row bodies with more results than the ops of today have.
#include <gtest/gtest.h>

#include <cmath>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/gradcheck.h"
#include "gyre/kernel/rows/rowwise_tile.h"
#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/ops/define_rowwise.h"
#include "tests/elements.h"

namespace gyre {

struct TwoRowsAttrs {
  int64_t axis = -1;
};
GYRE_FIELDS(TwoRowsAttrs, GYRE_FIELD(axis, "of the rows"));

namespace {

// x + d y and x - d y, where d is the mean of x y and a result, too.
struct TwoRows {
  using Attrs = TwoRowsAttrs;
  static constexpr RowSpec spec{.rows = 2, .sums = 1, .coefs = 1, .out_rows = 2, .out_scalars = 1};
  template <class X, class Y>
  static GYRE_BODY auto reduce(X x, Y y) {
    return pack(x * y);
  }
  template <class S>
  static GYRE_BODY auto finish(RowInfo<Attrs> row, S sum) {
    return pack(sum / row.length);
  }
  template <class D, class X, class Y>
  static GYRE_BODY auto map(D d, X x, Y y) {
    return pack(x + d * y, x - d * y);
  }
};

constexpr RowwiseTiles kTiles = rowwise_tiles<TwoRows>();
constexpr PerIsa<RowwiseTiles> kAll{&kTiles, &kTiles, &kTiles};
constexpr Arg kArgs[] = {{"x"}, {"y"}};

constinit const OpDef two_rows_def =
    define_rowwise<TwoRows>("two_rows", "for this test", kArgs, kAll);

Tensors two_rows(Inputs in, int64_t axis) {
  return apply(two_rows_def, in, box(TwoRowsAttrs{axis}));
}

// Side by side, along the row, strided results, every dtype's own way to the memory.
TEST(RowwiseOutputs, AllRowsAndNumbersReachTheirPlaces) {
  struct Case {
    Shape shape;
    int64_t axis;
  };
  for (const Case& c : {Case{{7, 5}, 1}, Case{{70, 3}, 1}, Case{{5, 9}, 0}, Case{{3, 40}, 1},
                        Case{{2, 6000}, 1}, Case{{2, 33, 5}, 1}, Case{{40'000}, 0}}) {
    for (DType dtype : {DType::f64, DType::f32, DType::bf16}) {
      Samples s;
      Tensor x = to(s.uniform(c.shape), dtype), y = to(s.uniform(c.shape), dtype);
      Tensors got = two_rows(Tensors{x, y}, c.axis);
      Tensor a = to(x, DType::f64), b = to(y, DType::f64), d = mean(a * b, {{c.axis}, true});
      Tensor want[] = {a + d * b, a - d * b, mean(a * b, {{c.axis}})};
      double bound = dtype == DType::f64 ? 1e-14 : dtype == DType::f32 ? 1e-6 : 1e-2;
      ASSERT_EQ(got.size(), 3u);
      for (size_t k = 0; k < 3; ++k) {
        Tensor error = max(abs(to(got[k], DType::f64) - want[k]));
        EXPECT_LE(error.item(), bound) << k << " of " << to_string(c.shape) << name_of(dtype);
      }
    }
  }
}

TEST(RowwiseOutputs, OperandsOfTwoDtypesAreComputedInTheWider) {
  Samples s;
  Tensor narrow = to(s.uniform({7, 33}), DType::f32), wide = s.uniform({7, 33});
  for (bool swap : {false, true}) {
    Tensors got = two_rows(swap ? Tensors{wide, narrow} : Tensors{narrow, wide}, -1);
    Tensor cast = to(narrow, DType::f64);
    Tensors want = two_rows(swap ? Tensors{wide, cast} : Tensors{cast, wide}, -1);
    for (size_t k = 0; k < 3; ++k) EXPECT_EQ(elements(got[k]), elements(want[k])) << k;
  }
}

// Rows of no elements have numbers, too: here the mean of none.
TEST(RowwiseOutputs, NumbersOfRowsOfLengthZero) {
  for (DType dtype : {DType::f64, DType::f32}) {
    Tensor none = empty(Shape{5, 0}, dtype);
    Tensors got = two_rows(Tensors{none, none}, 1);
    EXPECT_EQ(got[0].shape(), (Shape{5, 0}));
    for (double d : elements(got[2])) EXPECT_TRUE(std::isnan(d)) << name_of(dtype);
  }
}

TEST(RowwiseOutputs, GradientsOfAll) {
  for (const Shape& shape : {Shape{3, 5}, Shape{2, 40}, Shape{5, 3}}) {
    for (int64_t axis : {0, 1}) {
      Samples s;
      Tensor x = s.uniform(shape), y = s.uniform(shape);
      x.set_requires_grad();
      y.set_requires_grad();
      auto f = [&](Inputs in) { return two_rows(in, axis); };
      GradcheckReport first = gradcheck(f, Tensors{x, y});
      EXPECT_TRUE(first) << first.what();
    }
  }
}

// By few rows, and by so many that they are summed while they are computed.
TEST(RowwiseOutputs, GradientsOfRowsThatOthersShare) {
  for (int64_t many : {2, 70}) {
    for (const Shape& shared :
         {Shape{3, 4}, Shape{1, 3, 4}, Shape{many, 1, 4}, Shape{many, 3, 1}, Shape{4}}) {
      for (int64_t axis : {-1, -2}) {
        Samples s;
        Tensor x = s.uniform({many, 3, 4}), y = s.uniform(shared);
        y.set_requires_grad();
        auto f = [&](Inputs in) { return two_rows(in, axis); };
        GradcheckReport first = gradcheck(f, Tensors{x, y});
        EXPECT_TRUE(first) << first.what() << to_string(shared) << axis;
      }
    }
  }
}

}  // namespace
}  // namespace gyre
