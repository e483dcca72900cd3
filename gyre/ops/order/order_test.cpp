#include "gyre/ops/order/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gyre/autograd/backward.h"
#include "gyre/base/philox.h"
#include "gyre/base/thread_pool.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/sample_calls.h"

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#include "gyre/ops/order/order.def"
#undef OP

namespace {

using Numbers = std::vector<double>;

// Whole numbers below `below`, so that many are equal.
template <class T>
std::vector<T> drawn(size_t n, uint32_t below) {
  std::vector<T> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = static_cast<T>(philox(3, i)[0] % below);
  return v;
}

template <class T>
void expect_sorted(size_t n, bool descending) {
  std::vector<T> v = drawn<T>(n, 1000);
  std::vector<int64_t> wanted(n);
  std::iota(wanted.begin(), wanted.end(), 0);
  std::stable_sort(wanted.begin(), wanted.end(), [&](int64_t i, int64_t j) {
    T x = v[static_cast<size_t>(i)], y = v[static_cast<size_t>(j)];
    return descending ? y < x : x < y;
  });
  Tensor x = tensor(v, {static_cast<int64_t>(n)});
  for (int threads : {1, 3}) {
    set_num_threads(threads);
    SortResult r = sort(x, {0, descending});
    EXPECT_EQ(to_vector<int64_t>(r.indices), wanted) << n << " on " << threads;
    std::vector<T> values = to_vector<T>(r.values);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(values[i], v[static_cast<size_t>(wanted[i])]) << i;
  }
  set_num_threads(0);
}

TEST(Sort, IsStableForRowsOfEveryLength) {
  for (size_t n : {1, 2, 100, 511, 513, 5000, 65537, 300001}) {
    expect_sorted<float>(n, false);
    expect_sorted<double>(n, n % 2);
    expect_sorted<int64_t>(n, true);
    expect_sorted<int16_t>(n, false);
  }
}

TEST(Sort, OrdersSignsInfinitiesAndNan) {
  for (DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    Tensor x = to(tensor_of({NAN, 1, -0.0, -INFINITY, 0, INFINITY, -2, -NAN}), dtype);
    EXPECT_EQ(elements(argsort(x)), (Numbers{3, 6, 2, 4, 1, 5, 0, 7})) << name_of(dtype);
    EXPECT_EQ(elements(argsort(x, {0, true})), (Numbers{0, 7, 5, 1, 2, 4, 6, 3}));
    EXPECT_TRUE(std::signbit(elements(sort(x).values)[2])) << "values are those of x";
  }
  Tensor x = to(tensor_of({-128, 127, 0, -1}), DType::i8);
  EXPECT_EQ(elements(sort(x).values), (Numbers{-128, -1, 0, 127}));
}

TEST(Topk, IsWhatSortHasFirst) {
  Tensor x = tensor(drawn<float>(40000, 500), {4, 10000});
  for (bool largest : {true, false}) {
    SortResult all = sort(x, {1, largest});
    for (int64_t k : {1, 5, 300, 4000, 10000}) {
      SortResult best = topk(x, {k, 1, largest, true});
      EXPECT_EQ(elements(best.indices), elements(slice(all.indices, {1, 0, k, 1}))) << k;
      EXPECT_EQ(elements(best.values), elements(slice(all.values, {1, 0, k, 1}))) << k;
      SortResult by_place = topk(x, {k, 1, largest, false});
      EXPECT_EQ(elements(by_place.indices), elements(sort(best.indices, {1}).values)) << k;
    }
  }
}

TEST(Topk, OfMoreThanAThreadHasRoomFor) {
  Tensor x = tensor(drawn<double>(200000, 1000), {200000});
  EXPECT_EQ(elements(topk(x, 50000).indices),
            elements(slice(argsort(x, {0, true}), {0, 0, 50000, 1})));
}

TEST(Sort, GivesEachGradientToItsElement) {
  Tensor x = tensor_of({3, 1, 2}).set_requires_grad();
  sum(sort(x).values * tensor_of({10, 20, 30})).backward();
  EXPECT_EQ(elements(x.grad()), (Numbers{30, 10, 20}));
}

TEST(Searchsorted, TakesANumberAsTheDtypeOfTheRows) {
  for (DType dtype : {DType::f16, DType::f32, DType::f64, DType::i32}) {
    Tensor rows = tensor({{1, 2, 4}}, {dtype});
    EXPECT_EQ(searchsorted(flatten(rows), Tensor(2), true).item(), 2) << name_of(dtype);
    if (!is_floating(dtype)) continue;
    EXPECT_EQ(searchsorted(flatten(rows), Tensor(2.5)).item(), 2) << name_of(dtype);
  }
  Tensor bytes = tensor({1, 2, 4}, {DType::u8});
  EXPECT_EQ(code_of([&] { searchsorted(bytes, Tensor(300)); }), Code::value);
  EXPECT_EQ(code_of([&] { searchsorted(bytes, Tensor(1.5)); }), Code::dtype);
}

TEST(Unique, CountsNanOnce) {
  UniqueResult r = unique(tensor_of({2, NAN, 2, NAN, -1}));
  EXPECT_EQ(r.values.numel(), 3);
  EXPECT_EQ(elements(r.inverse), (Numbers{1, 2, 1, 2, 0}));
  EXPECT_EQ(elements(r.counts), (Numbers{1, 2, 2}));
}

TEST(Bincount, PassesGradientsToItsWeights) {
  Tensor w = tensor_of({1, 2, 3}).set_requires_grad();
  Tensor x = to(tensor_of({1, 0, 1}), DType::i64);
  EXPECT_EQ(elements(bincount(x)), (Numbers{1, 2}));
  EXPECT_EQ(error_of([] {
              bincount(to(tensor_of({1, -1}), DType::i64));
            }).message(),
            "index -1 at position 1 is out of range [0, 2)");
  Tensor y = bincount(x, w, 3);
  EXPECT_EQ(elements(y), (Numbers{2, 4, 0}));
  sum(y * tensor_of({10, 20, 30})).backward();
  EXPECT_EQ(elements(w.grad()), (Numbers{20, 10, 20}));
}

TEST(OrderSamples, ValidCallsRunAndInvalidOnesAreRefused) {
#define OP(name) EXPECT_EQ(sample_problems(name##_def), "");
#include "gyre/ops/order/order.def"
#undef OP
}

}  // namespace
}  // namespace gyre
