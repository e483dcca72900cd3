#include "gyre/ops/conv/conv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gyre/autograd/backward.h"
#include "gyre/base/system/memory.h"
#include "gyre/base/thread_pool.h"
#include "gyre/ops/conv/im2col.h"
#include "gyre/ops/conv/pool.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

struct Sizes {
  Shape x, weight;
  ConvAttrs attrs;
};

// Blocks within an image, over several images and within a row; many filters; several passes;
// groups; a channel by itself.
const Sizes kSizes[] = {
    {{3, 5, 30, 29}, {70, 5, 3, 3}, {{1}, {1}}},
    {{9, 30, 7, 7}, {33, 30, 3, 3}, {{1}, {1}}},
    {{2, 3, 2, 700}, {17, 3, 2, 5}, {{1, 2}, {0, 3}, {1, 3}}},
    {{2, 4, 13, 11}, {600, 4, 1, 1}, {{2}}},
    {{2, 3, 20, 21}, {9, 3, 17, 15}, {{1}, {4}}},
    {{2, 12, 15, 16}, {40, 3, 3, 3}, {{2}, {1}, {2}, 4}},
    {{3, 9, 40, 60}, {9, 1, 5, 5}, {{1}, {2}, {1}, 9}},
    {{300, 4, 1, 1}, {8, 4, 1, 1}, {}},
};

// By im2col and one product a group.
Tensor by_patches(const Tensor& x, const Tensor& weight, const ConvAttrs& a) {
  const Tensor columns =
      im2col(x, {{weight.size(2), weight.size(3)}, a.stride, a.padding, a.dilation});
  const int64_t n = x.size(0), out = weight.size(0), depth = weight.numel() / out;
  const Tensor grouped = reshape(columns, {n, a.groups, depth, columns.size(2)});
  const Tensor filters = reshape(weight, {a.groups, out / a.groups, depth});
  const Shape shape = conv2d(x, weight, {}, a).shape();
  return reshape(matmul(filters, grouped), shape);
}

struct Gradients {
  Tensor y, x, weight;
};
template <class Convolution>
Gradients gradients_of(Convolution convolution, const Tensor& x, const Tensor& weight) {
  Tensor leaf = x.detach().set_requires_grad(), filters = weight.detach().set_requires_grad();
  Tensor y = convolution(leaf, filters);
  Generator g{3, 0};
  Tensor grad = to(randn(y.shape(), {.generator = &g}), y.dtype());
  backward(Inputs(&y, 1), Inputs(&grad, 1));
  return {y.detach(), leaf.grad(), filters.grad()};
}

double size_of_largest(const Tensor& t) { return max(abs(t)).item(); }

TEST(Conv2d, AgreesWithProductsOfPatches) {
  for (const Sizes& s : kSizes) {
    SCOPED_TRACE(to_string(s.x) + to_string(s.weight));
    Generator g{1, 0};
    const Tensor x = randn(s.x, {.generator = &g}), w = randn(s.weight, {.generator = &g});
    for (DType dtype : {DType::f32, DType::f64}) {
      const auto conv = [&](const Tensor& i, const Tensor& f) { return conv2d(i, f, {}, s.attrs); };
      const auto patches = [&](const Tensor& i, const Tensor& f) {
        return by_patches(i, f, s.attrs);
      };
      const Gradients got = gradients_of(conv, to(x, dtype), to(w, dtype));
      const Gradients want = gradients_of(patches, to(x, DType::f64), to(w, DType::f64));
      const double bound = dtype == DType::f32 ? 3e-6 : 1e-14;
      const auto agree = [&](const Tensor& a, const Tensor& b) {
        EXPECT_LT(largest_difference(to(a, DType::f64), b), bound * size_of_largest(b));
      };
      agree(got.y, want.y);
      agree(got.x, want.x);
      agree(got.weight, want.weight);
    }
  }
}

TEST(Conv2d, BitsDependNeitherOnThreadsNorOnTheBatch) {
  for (const Sizes& s : kSizes) {
    SCOPED_TRACE(to_string(s.x) + to_string(s.weight));
    Generator g{2, 0};
    const Tensor x = randn(s.x, {.generator = &g}), w = randn(s.weight, {.generator = &g});
    const auto conv = [&](const Tensor& i, const Tensor& f) { return conv2d(i, f, {}, s.attrs); };
    set_num_threads(1);
    const Gradients one = gradients_of(conv, x, w);
    for (int threads : {2, 5}) {
      set_num_threads(threads);
      const Gradients many = gradients_of(conv, x, w);
      EXPECT_EQ(to_vector<float>(one.y), to_vector<float>(many.y));
      EXPECT_EQ(to_vector<float>(one.x), to_vector<float>(many.x));
      EXPECT_EQ(to_vector<float>(one.weight), to_vector<float>(many.weight));
    }
    set_num_threads(0);
    const Tensor last = slice(x, {.axis = 0, .start = -1});
    EXPECT_EQ(to_vector<float>(conv(last, w)),
              to_vector<float>(slice(one.y, {.axis = 0, .start = -1})));
  }
}

TEST(Conv2d, TakesFarLessMemoryThanPatches) {
  const Tensor x = randn({8, 32, 128, 128}), w = randn({8, 32, 5, 5});  // 16 MB, patches 400 MB
  const size_t before = resident_bytes();
  if (before == 0) GTEST_SKIP() << "the resident set cannot be told here";
  const Tensor y = conv2d(x, w, {}, {.padding = {2}});
  const Tensor g = conv2d_weight_gradient(x, y, {.kernel = {5}, .padding = {2}});
  EXPECT_LT(resident_bytes(), before + (size_t{64} << 20));
}

TEST(Conv2d, IsNamedInErrorsWithBothSides) {
  const Tensor x = randn({1, 3, 5, 5});
  try {
    conv2d(x, randn({4, 2, 3, 3}));
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "conv2d: x has 3 channels, but weight with groups=1 expects 2, x is [1, 3, 5, 5], "
                 "weight is [4, 2, 3, 3]");
  }
  EXPECT_EQ(code_of([&] { conv1d(x, x); }), Code::shape);
}

TEST(MaxPool2d, GivesTheGradientToTheFirstAmongEquals) {
  Tensor x = reshape(tensor({1, 1, 1, 1, 0, 2, 2, 0}), {1, 1, 2, 4}).set_requires_grad();
  const Tensor y = max_pool2d(x, {.kernel = {2}});
  EXPECT_EQ(to_vector<float>(y), (std::vector<float>{2, 2}));
  sum(y).backward();
  EXPECT_EQ(to_vector<float>(x.grad()), (std::vector<float>{0, 0, 0, 0, 0, 1, 1, 0}));
  x = reshape(tensor({3, 5, 5, 4, 5, 5}), {1, 1, 2, 3}).set_requires_grad();
  sum(max_pool2d(x, {.kernel = {2, 3}})).backward();
  EXPECT_EQ(to_vector<float>(x.grad()), (std::vector<float>{0, 1, 0, 0, 0, 0}));
}

TEST(MaxPool2d, LetsNanWin) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor x = reshape(tensor({1, nan, 2, 3, 4, 5, -1, nan}), {1, 1, 2, 4});
  const std::vector<float> y = to_vector<float>(max_pool2d(x, {.kernel = {2, 1}, .stride = {1}}));
  EXPECT_EQ(y[0], 4);
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_EQ(y[2], 2);
  EXPECT_TRUE(std::isnan(y[3]));
}

TEST(AvgPool2d, OfAWholeImageIsTheMean) {
  const Tensor x = rand({2, 3, 57, 91});
  const Tensor means = mean(x, ReduceAttrs{{2, 3}, true});
  EXPECT_EQ(to_vector<float>(adaptive_avg_pool2d(x, {})), to_vector<float>(means));
  EXPECT_EQ(to_vector<float>(avg_pool2d(x, {.kernel = {57, 91}})), to_vector<float>(means));
}

TEST(Col2im, AddsUpWhatIm2colCopies) {
  const Tensor x = ones({1, 1, 3, 3});
  const Tensor columns = im2col(x, {.kernel = {2}});
  EXPECT_EQ(columns.shape(), (Shape{1, 4, 4}));
  EXPECT_EQ(to_vector<float>(col2im(columns, {.size = {3}, .kernel = {2}})),
            (std::vector<float>{1, 2, 1, 2, 4, 2, 1, 2, 1}));
  EXPECT_EQ(to_vector<int32_t>(im2col(to(x, DType::i32), {.kernel = {3}, .padding = {0}})),
            std::vector<int32_t>(9, 1));
}

}  // namespace
}  // namespace gyre
