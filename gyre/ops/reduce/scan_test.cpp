#include "gyre/ops/reduce/scan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/base/thread_pool.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Numbers = std::vector<double>;

TEST(CumSum, GoesAlongAnAxisFromEitherEnd) {
  Tensor x = counting({2, 3});
  EXPECT_EQ(elements(cumsum(x, 1)), (Numbers{0, 1, 3, 3, 7, 12}));
  EXPECT_EQ(elements(cumsum(x, 0)), (Numbers{0, 1, 2, 3, 5, 7}));
  EXPECT_EQ(elements(cumsum(x, {1, true})), (Numbers{3, 3, 2, 12, 9, 5}));
  EXPECT_EQ(cumsum(to(x, DType::u8), 1).dtype(), DType::i64);
}

TEST(CumSum, OfALongRowIsExactWhateverTheThreads) {
  Tensor x = ones({100003});
  for (bool reverse : {false, true}) {
    for (int threads : {1, 2, 3}) {
      set_num_threads(threads);
      std::vector<float> y = to_vector<float>(cumsum(x, ScanAttrs{0, reverse}));
      for (size_t i = 0; i < y.size(); ++i) {
        ASSERT_EQ(y[i], static_cast<float>(reverse ? y.size() - i : i + 1)) << i;
      }
    }
  }
  set_num_threads(0);
}

TEST(LinearRecurrence, OfALongRowIsThatOfItsParts) {
  int64_t n = 80000;
  Tensor a = full({n}, 0.5, {DType::f64}), b = ones({n}, {DType::f64});
  Tensor copied = slice(full({2 * n}, 0.5), {.start = 1, .step = 2});
  for (const Tensor& factor : {a, copied}) {
    std::vector<double> y = to_vector<double>(linear_recurrence(factor, b));
    for (size_t i = 0; i < y.size(); ++i) {
      ASSERT_NEAR(y[i], 2 - std::ldexp(1, -static_cast<int>(i)), 1e-15) << i;
    }
  }
}

TEST(CumProd, OfALongRowKeepsWhatIsNotANumber) {
  Tensor x = ones({200001});
  x.data<float>()[40000] = INFINITY;
  std::vector<float> y = to_vector<float>(cumprod(x, 0));
  EXPECT_EQ(y[39999], 1);
  EXPECT_EQ(y[40000], INFINITY);
  EXPECT_EQ(y[200000], INFINITY);
  x.data<float>()[0] = 0;  // 0 times infinity
  y = to_vector<float>(cumprod(x, 0));
  EXPECT_EQ(y[39999], 0);
  for (size_t i : {40000u, 70000u, 200000u}) EXPECT_TRUE(std::isnan(y[i])) << i;
}

TEST(CumProd, HasExactGradientsAtZeros) {
  Tensor x = tensor_of({2, 0, 3, 0}).set_requires_grad();
  sum(cumprod(x)).backward();
  // of y = x0 + x0 x1 + x0 x1 x2 + x0 x1 x2 x3
  EXPECT_EQ(elements(x.grad()), (Numbers{1, 8, 0, 0}));
}

TEST(Shifted, MovesByOnePlace) {
  Tensor x = counting({3});
  EXPECT_EQ(elements(shifted(x, 0, 1, 7)), (Numbers{7, 0, 1}));
  EXPECT_EQ(elements(shifted(x, 0, -1, 0)), (Numbers{1, 2, 0}));
  EXPECT_EQ(elements(shifted(counting({}), 0, 1, 7)), (Numbers{7}));
  EXPECT_EQ(shifted(counting({0}), 0, 1, 7).numel(), 0);
}

}  // namespace
}  // namespace gyre
