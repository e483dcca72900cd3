#include "gyre/kernel/rows/rowwise.h"

#include <gtest/gtest.h>

#if defined(__linux__)
#include <sys/resource.h>
#endif

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "gyre/autograd/backward.h"
#include "gyre/base/memory/poison.h"
#include "gyre/base/philox.h"
#include "gyre/base/system/memory.h"
#include "gyre/base/thread_pool.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/shape/shape.h"
#include "tests/fewer.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

Tensor random(const Shape& shape, uint64_t stream = 1) {
  Tensor t = empty(shape);
  for (int64_t i = 0; i < t.numel(); ++i) {
    double u = std::ldexp(philox(stream, static_cast<uint64_t>(i))[0], -32);
    t.data<float>()[i] = static_cast<float>(8 * u - 4);
  }
  return t;
}

double at(const Tensor& t, int64_t i) { return static_cast<double>(t.data<float>()[i]); }

// The elements of row (i, k) of [a, n, b] along the middle axis, as double.
std::vector<double> row(const Tensor& t, int64_t i, int64_t k, int64_t n, int64_t b) {
  std::vector<double> r;
  for (int64_t j = 0; j < n; ++j) r.push_back(at(t, (i * n + j) * b + k));
  return r;
}

std::vector<double> softmax_of(const std::vector<double>& x) {
  double m = -INFINITY, s = 0;
  std::vector<double> y;
  for (double v : x) m = std::max(m, v);
  for (double v : x) y.push_back(std::exp(v - m));
  for (double v : y) s += v;
  for (double& v : y) v /= s;
  return y;
}

struct Case {
  int64_t a, n, b;
};
// Short rows side by side, long rows along and across, one long row shared by threads.
const Case kCases[] = {{1, 5, 1},     {1000, 5, 1},  {7, 5, 33},    {70, 31, 1},
                       {70, 32, 1},   {70, 33, 1},   {3, 33, 40},   {4, 1000, 1},
                       {2, 1000, 9},  {2, 1000, 64}, {2, 4096, 16}, {2, 4097, 16},
                       {1, 70000, 1}, {3, 70000, 1}, {9, 70000, 1}, {1, 70000, 3}};

TEST(Rowwise, SoftmaxOfEveryShape) {
  for (auto [a, n, b] : kCases) {
    Tensor x = random(Shape{a, n, b}), y = softmax(x, {1});
    for (int64_t i = 0; i < a; i += a / 5 + 1) {
      for (int64_t k = 0; k < b; k += b / 5 + 1) {
        auto want = softmax_of(row(x, i, k, n, b)), got = row(y, i, k, n, b);
        for (size_t j = 0; j < want.size(); ++j) {
          ASSERT_NEAR(got[j], want[j], 1e-6 * want[j]) << a << " " << n << " " << b << " at " << j;
        }
      }
    }
  }
}

TEST(Rowwise, GradientOfSoftmaxAndLogsumexp) {
  for (auto [a, n, b] : kCases) {
    Tensor x = random(Shape{a, n, b}), g = random(Shape{a, n, b}, 2), h = random(Shape{a, b}, 3);
    x.set_requires_grad();
    Tensor outputs[] = {softmax(x, {1}), logsumexp(x, 1)}, seeds[] = {g, h};
    Tensor dx = grad(outputs, {&x, 1}, seeds)[0];
    for (int64_t i = 0; i < a; i += a / 5 + 1) {
      for (int64_t k = 0; k < b; k += b / 5 + 1) {
        auto y = softmax_of(row(x, i, k, n, b)), gr = row(g, i, k, n, b), got = row(dx, i, k, n, b);
        double dot = 0, largest = 0, hk = at(h, i * b + k);
        for (size_t j = 0; j < y.size(); ++j) {
          dot += y[j] * gr[j];
          largest = std::max(largest, y[j]);
        }
        for (size_t j = 0; j < y.size(); ++j) {
          ASSERT_NEAR(got[j], y[j] * (gr[j] - dot + hk), 4e-6 * largest)
              << a << " " << n << " " << b << " at " << j;
        }
      }
    }
  }
}

TEST(Rowwise, LayerNormAndTheGradientOfSharedWeights) {
  for (int64_t n : {5, 31, 33, 1000, 70000}) {
    int64_t rows = n > 5000 ? 3 : 90;
    Tensor x = random(Shape{rows, n}), w = random(Shape{n}, 2), c = random(Shape{n}, 3);
    Tensor g = random(Shape{rows, n}, 4);
    w.set_requires_grad();
    c.set_requires_grad();
    Tensor y = layer_norm(x, w, c, {-1, 1e-5});
    Tensor asked[] = {w, c};
    Tensors d = grad({&y, 1}, asked, {&g, 1});
    std::vector<double> dw(static_cast<size_t>(n)), dc(dw);
    for (int64_t i = 0; i < rows; ++i) {
      auto v = row(x, i, 0, n, 1);
      double mean = 0, variance = 0;
      for (double e : v) mean += e / static_cast<double>(n);
      for (double e : v) variance += (e - mean) * (e - mean) / static_cast<double>(n);
      double scale = 1 / std::sqrt(variance + 1e-5);
      for (int64_t j = 0; j < n; ++j) {
        double hat = (v[static_cast<size_t>(j)] - mean) * scale;
        ASSERT_NEAR(at(y, i * n + j), hat * at(w, j) + at(c, j), 1e-5) << n << " at " << j;
        dw[static_cast<size_t>(j)] += hat * at(g, i * n + j);
        dc[static_cast<size_t>(j)] += at(g, i * n + j);
      }
    }
    for (int64_t j = 0; j < n; ++j) {
      ASSERT_NEAR(at(d[0], j), dw[static_cast<size_t>(j)], 1e-4) << n << " at " << j;
      ASSERT_NEAR(at(d[1], j), dc[static_cast<size_t>(j)], 1e-4) << n << " at " << j;
    }
  }
}

TEST(Rowwise, EqualBitsOnEveryNumberOfThreads) {
  for (auto [a, n, b] : kCases) {
    Tensor x = random(Shape{a, n, b}), g = random(Shape{a, n, b}, 2);
    x.set_requires_grad();
    Tensors results[4];
    int threads[] = {1, 2, 3, 7};
    for (int t = 0; t < 4; ++t) {
      set_num_threads(threads[t]);
      Tensor y = log_softmax(x, {1});
      results[t] = {y.detach(), grad({&y, 1}, {&x, 1}, {&g, 1})[0]};
    }
    set_num_threads(0);
    for (int t = 1; t < 4; ++t) {
      for (size_t r = 0; r < 2; ++r) {
        ASSERT_TRUE(to_vector<float>(results[0][r]) == to_vector<float>(results[t][r]))
            << a << " " << n << " " << b << " on " << threads[t] << " threads";
      }
    }
  }
}

Tensor one_row(const Tensor& t, int64_t i) {
  int64_t n = t.shape()[1];
  Tensor r = empty(Shape{1, n});
  std::copy_n(t.data<float>() + i * n, n, r.data<float>());
  return r;
}

// Large arrays use non-temporal stores, one row while the next is summed.
TEST(Rowwise, RowsOfLargeArraysAreThoseOfSmallOnes) {
  for (int64_t n : fewer_of(std::vector{1024, 1030})) {
    Tensor x = random(Shape{2100, n}), g = random(Shape{2100, n}, 2);
    Tensor w = random(Shape{n}, 3), c = random(Shape{n}, 4);
    auto all = [&](Tensor in, const Tensor& seed) {
      in.set_requires_grad();
      Tensors r = {softmax(in, {1}), log_softmax(in, {1}), layer_norm(in, w, c, {1, 1e-5})};
      for (size_t k = 0; k < 3; ++k) r.push_back(grad({&r[k], 1}, {&in, 1}, {&seed, 1})[0]);
      return r;
    };
    Tensors many = all(x.detach(), g);
    for (int64_t i : {0, 1, 1023, 2098, 2099}) {
      Tensors one = all(one_row(x, i), one_row(g, i));
      for (size_t k = 0; k < one.size(); ++k) {
        EXPECT_EQ(to_vector<float>(one_row(many[k], i)), to_vector<float>(one[k]))
            << n << ", result " << k << ", row " << i;
      }
    }
  }
}

#if defined(__linux__) && !GYRE_ASAN && !defined(__SANITIZE_THREAD__)
// Runs `body` with the process's memory limited to its current use; false if that is not possible.
template <class Body>
bool without_more_memory(size_t bytes_wanted, Body body) {
  rlimit before;
  if (::getrlimit(RLIMIT_DATA, &before) != 0) return false;
  const rlimit none{4096, before.rlim_max};  // Linux takes 0 for no limit
  if (::setrlimit(RLIMIT_DATA, &none) != 0) return false;
  void* block = system_allocate(bytes_wanted);
  if (!block) body();
  ::setrlimit(RLIMIT_DATA, &before);
  if (block) system_free(block, bytes_wanted);
  return !block;
}

// softmax keeps a row of exponentials from one stage to the next, in scratch of the thread.
TEST(Rowwise, WantOfScratchIsAnErrorThatChangesNothing) {
  constexpr int64_t kRow = int64_t{1} << 15;
  Tensor x = random(Shape{4, kRow}), want = softmax(x, {1});
  const std::vector<float> before = to_vector<float>(x);
  bool done = false;
  set_num_threads(1);
  std::thread fresh([&] {          // has no scratch yet
    { Tensor result = clone(x); }  // its block is kept for the result
    done = without_more_memory(2 * kRow * sizeof(float), [&] {
      Error e = error_of([&] { softmax(x, {1}); });
      EXPECT_EQ(e.code, Code::resource);
      EXPECT_STREQ(e.what(), "softmax: no memory for scratch");
    });
    EXPECT_EQ(to_vector<float>(softmax(x, {1})), to_vector<float>(want));
  });
  fresh.join();
  set_num_threads(0);
  EXPECT_EQ(to_vector<float>(x), before);
  if (!done) GTEST_SKIP() << "this system does not bound a process's memory";
}
#endif

TEST(Rowwise, NanStaysInItsRow) {
  for (auto [a, n, b] : {Case{20, 5, 1}, Case{3, 5, 40}, Case{3, 1000, 1}, Case{2, 70000, 1}}) {
    Tensor x = random(Shape{a, n, b});
    x.data<float>()[(n - 1) * b] = NAN;  // last of row (0, 0)
    Tensor y = softmax(x, {1});
    for (int64_t i = 0; i < y.numel(); ++i) {
      bool in_row = i < n * b && i % b == 0;
      ASSERT_EQ(std::isnan(y.data<float>()[i]), in_row) << a << " " << n << " " << b << " " << i;
    }
  }
}

}  // namespace
}  // namespace gyre
