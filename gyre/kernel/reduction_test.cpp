#include "gyre/kernel/reduction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/base/thread_pool.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

Tensor random(const Shape& shape, double low, double high) {
  Tensor t = empty(shape);
  float* to = t.data<float>();
  for (int64_t i = 0, n = t.numel(); i < n; ++i) {
    double u = philox(5, static_cast<uint64_t>(i))[0] * 0x1p-32;
    to[i] = static_cast<float>(low + (high - low) * u);
  }
  return t;
}

// The sum over the middle axis of [a, n, b].
std::vector<double> sums(const Tensor& t, int64_t a, int64_t n, int64_t b) {
  std::vector<double> r(static_cast<size_t>(a * b));
  const float* from = t.data<float>();
  for (int64_t i = 0; i < a; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t k = 0; k < b; ++k) {
        r[static_cast<size_t>(i * b + k)] += static_cast<double>(*from++);
      }
    }
  }
  return r;
}

bool within_one_ulp(float got, double want) {
  float above = std::nextafter(static_cast<float>(want), INFINITY);
  float below = std::nextafter(static_cast<float>(want), -INFINITY);
  return got >= below && got <= above;
}

TEST(Reduction, SixteenMillionFloatsToOneUlp) {
  const int64_t n = int64_t{1} << 24;
  Tensor x = random(Shape{n}, 0, 1);
  EXPECT_TRUE(within_one_ulp(*sum(x).data<float>(), sums(x, 1, n, 1)[0]));
  std::fill_n(x.data<float>(), n, 0.1f);
  float tenth = 0.1f;
  EXPECT_TRUE(within_one_ulp(*sum(x).data<float>(), static_cast<double>(tenth) * 16777216.0));
  EXPECT_TRUE(within_one_ulp(*mean(x).data<float>(), static_cast<double>(tenth)));
}

TEST(Reduction, EveryLengthAlongEveryAxis) {
  for (int64_t n : {1, 2, 5, 31, 32, 33, 1000, 70000}) {
    for (auto [a, b] : {std::pair<int64_t, int64_t>{1, 1}, {3, 1}, {1, 7}, {2, 20}, {5, 3}}) {
      Tensor x = random(Shape{a, n, b}, -1, 2);
      Tensor y = sum(x, {{1}, false});
      auto want = sums(x, a, n, b);
      for (size_t i = 0; i < want.size(); ++i) {
        ASSERT_TRUE(within_one_ulp(y.data<float>()[i], want[i]) || std::fabs(want[i]) < 1e-3)
            << n << " [" << a << ", " << b << "] " << i << ": " << y.data<float>()[i] << " "
            << want[i];
      }
      Tensor all = sum(x), outer = sum(x, {{0, 2}, true});
      double total = 0;
      for (double w : want) total += w;
      ASSERT_NEAR(all.item(), total, 1e-6 * std::fabs(total) + 1e-4);
      ASSERT_NEAR(sum(outer).item(), total, 1e-6 * std::fabs(total) + 1e-2);
    }
  }
}

TEST(Reduction, StridesDoNotMatter) {
  Tensor x = random(Shape{90, 70, 50}, -1, 1);
  Tensor turned = permute(x, {2, 0, 1});
  Tensor plain = sum(x, {{1}, false}), same = sum(turned, {{2}, false});
  for (int64_t i = 0; i < 90; ++i) {
    for (int64_t k = 0; k < 50; ++k) {
      ASSERT_NEAR(plain.data<float>()[i * 50 + k], same.data<float>()[k * 90 + i], 1e-5);
    }
  }
  Tensor wide = expand(random(Shape{1, 70000}, 0, 1), {6, 70000});
  EXPECT_NEAR(sum(wide).item(), 6 * sum(wide, {{1}, false}).data<float>()[3], 0.1);
}

TEST(Reduction, EqualBitsOnEveryNumberOfThreads) {
  for (const Shape& shape : {Shape{1 << 20}, Shape{200000, 3}, Shape{3, 200000}, Shape{700, 700}}) {
    Tensor x = random(shape, -1, 1);
    for (int64_t axis = 0; axis < shape.rank; ++axis) {
      set_num_threads(1);
      Tensor one = sum(x, {{axis}, false});
      for (int n : {2, 3, 7}) {
        set_num_threads(n);
        Tensor many = sum(x, {{axis}, false});
        for (int64_t i = 0; i < one.numel(); ++i) {
          ASSERT_EQ(one.data<float>()[i], many.data<float>()[i]);
        }
      }
      set_num_threads(0);
    }
  }
}

TEST(Reduction, ExtremaOfIntegersAndNan) {
  Tensor i = empty(Shape{1000}, DType::i64);
  for (int64_t k = 0; k < 1000; ++k) i.data<int64_t>()[k] = INT64_MIN + (k * 7919) % 1000;
  EXPECT_EQ(*min(i).data<int64_t>(), INT64_MIN);
  EXPECT_EQ(*max(i).data<int64_t>(), INT64_MIN + 999);
  for (int64_t at : {0, 31, 32, 500, 998, 999}) {
    Tensor x = random(Shape{999 + 1}, -1, 1);
    x.data<float>()[at] = NAN;
    EXPECT_TRUE(std::isnan(max(x).item())) << at;
    EXPECT_TRUE(std::isnan(min(x).item())) << at;
    EXPECT_TRUE(std::isnan(sum(x).item())) << at;
    EXPECT_EQ(argmax(x).item(), static_cast<double>(at));
  }
  Tensor low = empty(Shape{5});
  for (int k = 0; k < 5; ++k) low.data<float>()[k] = -INFINITY;
  EXPECT_EQ(max(low).item(), -INFINITY);
}

}  // namespace
}  // namespace gyre
