#include <gtest/gtest.h>

#include "gyre/autograd/backward.h"
#include "gyre/base/thread_pool.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Numbers = std::vector<double>;

Tensor places(const Nested& values) { return tensor(values, {DType::i64}); }

TEST(Index, PutsTheChosenAxesWhereNumpyDoes) {
  Tensor x = counting({2, 3, 4, 5}), i = places({{1, 0}, {1, 1}}), j = places({2, 0}), whole;
  EXPECT_EQ(index(x, {i}).shape(), (Shape{2, 2, 3, 4, 5}));
  EXPECT_EQ(index(x, {whole, i}).shape(), (Shape{2, 2, 2, 4, 5}));
  EXPECT_EQ(index(x, {whole, i, j}).shape(), (Shape{2, 2, 2, 5}));
  EXPECT_EQ(index(x, {i, whole, j}).shape(), (Shape{2, 2, 3, 5})) << "apart: in front";
  const Tensor three = places({2, 0, 1});
  EXPECT_EQ(index(x, {whole, three, whole, three}).shape(), (Shape{3, 2, 4}));
  EXPECT_EQ(index(x, {whole, whole, whole}).shape(), x.shape());
  EXPECT_EQ(elements(index(counting({2, 3}), {whole, places({-1, 0})})), (Numbers{2, 0, 5, 3}));
}

TEST(Index, TakesMasksForTheirCoordinates) {
  Tensor x = counting({2, 3});
  Tensor mask = x > Tensor(2.5);
  EXPECT_EQ(elements(index(x, {mask})), (Numbers{3, 4, 5}));
  EXPECT_EQ(elements(masked_select(x, mask)), (Numbers{3, 4, 5}));
  EXPECT_EQ(elements(index_put(x, {mask}, tensor({-1}, {DType::f64}))),
            (Numbers{0, 1, 2, -1, -1, -1}));
  EXPECT_EQ(elements(nonzero(x)), (Numbers{0, 1, 0, 2, 1, 0, 1, 1, 1, 2}));
  EXPECT_EQ(nonzero(zeros({2, 3})).shape(), (Shape{0, 2}));
  EXPECT_EQ(nonzero(ones({})).shape(), (Shape{1, 0}));
}

TEST(Index, NamesTheRangeOfWhatItRefuses) {
  Error e = error_of([] { index(ones({4}), {places({0, 4})}); });
  EXPECT_EQ(e.code, Code::index);
  EXPECT_STREQ(e.what(), "index: index 4 at position 1 is out of range [-4, 4)");
  EXPECT_EQ(code_of([] { take(ones({2, 2}), places({-5})); }), Code::index);
}

TEST(IndexPut, TheLastOfSeveralCounts) {
  Tensor x = zeros({3}, {.dtype = DType::f64, .requires_grad = true});
  Tensor values = tensor({1, 2, 3, 4}, {.dtype = DType::f64, .requires_grad = true});
  Tensor at = places({1, 0, 1, 1}), y = index_put(x, {at}, values);
  EXPECT_EQ(elements(y), (Numbers{2, 4, 0}));
  sum(y * tensor({10, 20, 30}, {DType::f64})).backward();
  EXPECT_EQ(elements(x.grad()), (Numbers{0, 0, 30}));
  EXPECT_EQ(elements(values.grad()), (Numbers{0, 10, 0, 20}));
  EXPECT_EQ(elements(index_put(x.detach(), {at}, values.detach(), true)), (Numbers{2, 8, 0}));
}

TEST(IndexPut, AddsManyTo16BitNumbers) {
  Tensor x = zeros({2}, {DType::f16}), at = zeros({4000}, {DType::i64});
  EXPECT_EQ(elements(index_put(x, {at}, ones({}, {DType::f16}), true)), (Numbers{4000, 0}))
      << "beyond 2048 f16 cannot count";
}

TEST(Scatter, TheLastOfSeveralCounts) {
  Tensor x = zeros({3}, {.dtype = DType::f64, .requires_grad = true});
  Tensor src = tensor({1, 2, 3, 4, 5}, {.dtype = DType::f64, .requires_grad = true});
  Tensor y = scatter(x, 0, places({1, 0, 1, 1}), src);
  EXPECT_EQ(elements(y), (Numbers{2, 4, 0}));
  sum(y).backward();
  EXPECT_EQ(elements(x.grad()), (Numbers{0, 0, 1}));
  EXPECT_EQ(elements(src.grad()), (Numbers{0, 1, 0, 1, 0}));
}

TEST(Scatter, BitsDoNotDependOnThreads) {
  Tensor src = to(counting({300, 300}), DType::f32), x = zeros({7, 300});
  Tensor at = to(Tensor(3.0) + Tensor(3.9) * sin(src), DType::i64);
  set_num_threads(1);
  Numbers one = elements(scatter(x, 0, at, src));
  set_num_threads(3);
  Numbers three = elements(scatter(x, 0, at, src));
  set_num_threads(0);
  EXPECT_EQ(one, three);
}

Numbers reduced(ScatterFold fold, bool self) {
  Tensor x = tensor({2, 5, 7}, {DType::f64}), src = tensor({3, 4, -1}, {DType::f64});
  return elements(scatter_reduce(x, places({0, 0, 1}), src, {0, fold, self}));
}

TEST(ScatterReduce, PutsElementsTogether) {
  EXPECT_EQ(reduced(ScatterFold::sum, true), (Numbers{9, 4, 7}));
  EXPECT_EQ(reduced(ScatterFold::sum, false), (Numbers{7, -1, 7}));
  EXPECT_EQ(reduced(ScatterFold::prod, true), (Numbers{24, -5, 7}));
  EXPECT_EQ(reduced(ScatterFold::prod, false), (Numbers{12, -1, 7}));
  EXPECT_EQ(reduced(ScatterFold::mean, true), (Numbers{3, 2, 7}));
  EXPECT_EQ(reduced(ScatterFold::mean, false), (Numbers{3.5, -1, 7}));
  EXPECT_EQ(reduced(ScatterFold::amax, true), (Numbers{4, 5, 7}));
  EXPECT_EQ(reduced(ScatterFold::amin, false), (Numbers{3, -1, 7}));
}

TEST(ScatterReduce, NanWinsAndTiesShare) {
  Tensor x = tensor({1, 1}, {.dtype = DType::f64, .requires_grad = true});
  Tensor src = tensor({1, NAN, 2}, {.dtype = DType::f64, .requires_grad = true});
  Tensor y = scatter_reduce(x, places({0, 1, 1}), src, {0, ScatterFold::amax, true});
  EXPECT_EQ(elements(y)[0], 1);
  EXPECT_TRUE(std::isnan(elements(y)[1]));
  sum(y).backward();
  EXPECT_EQ(elements(x.grad()), (Numbers{0.5, 0}));
  EXPECT_EQ(elements(src.grad()), (Numbers{0.5, 1, 0}));
}

TEST(ScatterReduce, GradientsOfProductsBeyondTheDtypeAreFinite) {
  for (double factor : {1e-30, 1e30}) {
    Tensor x = ones({1}, {.requires_grad = true});
    Tensor src = full({2}, factor).set_requires_grad();
    sum(scatter_reduce(x, places({0, 0}), src, {0, ScatterFold::prod})).backward();
    for (double g : elements(src.grad())) EXPECT_NEAR(g / factor, 1, 1e-6);
  }
}

TEST(ScatterReduce, ProductsWithZeros) {
  Tensor x = tensor({0, 2, 0}, {.dtype = DType::f64, .requires_grad = true});
  Tensor src = tensor({3, 0, 5, 0}, {.dtype = DType::f64, .requires_grad = true});
  Tensor y = scatter_reduce(x, places({0, 1, 1, 2}), src, {0, ScatterFold::prod, true});
  sum(y).backward();
  EXPECT_EQ(elements(x.grad()), (Numbers{3, 0, 0}));
  EXPECT_EQ(elements(src.grad()), (Numbers{0, 10, 0, 0}));
}

}  // namespace
}  // namespace gyre
