#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gyre/base/philox.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/einsum/einsum.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/order/order.h"
#include "gyre/ops/print.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/reduce/scan.h"
#include "gyre/ops/shape/shape.h"
#include "tests/thrown.h"

// u64 above the largest i64, against 128-bit integers.

namespace gyre {
namespace {

using Wide = __int128;
using Words = std::vector<uint64_t>;
constexpr uint64_t kTop = uint64_t{1} << 63;

// Every pair of ends and random words, more than a tile of them.
struct Pairs {
  Words x, y;
  Pairs() {
    const Words ends{0, 1, 2, 3, 63, 64, kTop - 1, kTop, kTop + 1, UINT64_MAX - 1, UINT64_MAX};
    for (uint64_t a : ends) {
      for (uint64_t b : ends) x.push_back(a), y.push_back(b);
    }
    for (uint64_t i = 0; i < 1000; ++i) {
      const auto words = philox(7, i);
      x.push_back(uint64_t{words[0]} << 32 | words[1]);
      y.push_back((uint64_t{words[2]} << 32 | words[3]) >> (i % 64));
    }
  }
};

Tensor vector_of(const Words& words) { return tensor(words, {static_cast<int64_t>(words.size())}); }
Words words_of(const Tensor& t) {
  EXPECT_EQ(t.dtype(), DType::u64);
  return to_vector<uint64_t>(t);
}

// op(x, y) against expected(x, y) in 128 bits; as vectors, in a strided layout and as one element.
void agree(const char* name, auto op, auto expected, bool divides = false) {
  Pairs p;
  if (divides) std::ranges::replace(p.y, 0, 1);
  const auto n = static_cast<int64_t>(p.x.size());
  const auto check = [&](const Tensor& got) {
    for (int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<size_t>(i);
      const auto want = expected(static_cast<Wide>(p.x[at]), static_cast<Wide>(p.y[at]));
      ASSERT_EQ(to_vector<uint64_t>(got)[at], static_cast<uint64_t>(want))
          << name << ' ' << p.x[at] << ' ' << p.y[at];
    }
  };
  const auto strided = [&](const Words& words) {
    const Tensor t = vector_of(words);
    return squeeze(slice(stack({t, t}, 1), {1, 0, 1, 1}), {1});
  };
  const Tensor together = op(vector_of(p.x), vector_of(p.y));
  check(together);
  EXPECT_EQ(to_vector<uint64_t>(op(strided(p.x), strided(p.y))), to_vector<uint64_t>(together));
  for (size_t i = 0; i < 121; ++i) {
    const Tensor one = op(tensor(Words{p.x[i]}, {}), tensor(Words{p.y[i]}, {}));
    ASSERT_EQ(to_vector<uint64_t>(one)[0], to_vector<uint64_t>(together)[i]) << name;
  }
}

TEST(Unsigned, ElementwiseOpsOfPairs) {
  agree("add", add, [](Wide x, Wide y) { return x + y; });
  agree("sub", sub, [](Wide x, Wide y) { return x - y; });
  agree("mul", mul,
        [](Wide x, Wide y) { return static_cast<uint64_t>(x) * static_cast<uint64_t>(y); });
  agree("maximum", maximum, [](Wide x, Wide y) { return std::max(x, y); });
  agree("minimum", minimum, [](Wide x, Wide y) { return std::min(x, y); });
  agree("eq", eq, [](Wide x, Wide y) { return x == y; });
  agree("ne", ne, [](Wide x, Wide y) { return x != y; });
  agree("lt", lt, [](Wide x, Wide y) { return x < y; });
  agree("le", le, [](Wide x, Wide y) { return x <= y; });
  agree("gt", gt, [](Wide x, Wide y) { return x > y; });
  agree("ge", ge, [](Wide x, Wide y) { return x >= y; });
  agree(
      "floor_divide", floor_divide, [](Wide x, Wide y) { return x / y; }, true);
  agree(
      "remainder", remainder, [](Wide x, Wide y) { return x % y; }, true);
  agree(
      "fmod", fmod, [](Wide x, Wide y) { return x % y; }, true);
  agree("shift_left", shift_left, [](Wide x, Wide y) { return y < 64 ? x << y : Wide{0}; });
  agree("shift_right", shift_right, [](Wide x, Wide y) { return y < 64 ? x >> y : Wide{0}; });
  agree("bitwise_xor", bitwise_xor, [](Wide x, Wide y) { return x ^ y; });
  agree("pow", pow, [](Wide x, Wide y) {
    uint64_t power = 1, base = static_cast<uint64_t>(x);
    for (auto left = static_cast<uint64_t>(y); left; left >>= 1, base *= base) {
      if (left & 1) power *= base;
    }
    return power;
  });
  agree(
      "where", [](const Tensor& x, const Tensor& y) { return where(lt(x, y), x, y); },
      [](Wide x, Wide y) { return std::min(x, y); });
  agree(
      "clamp",
      [](const Tensor& x, const Tensor& y) { return clamp(x, minimum(x, y), Tensor(kTop)); },
      [](Wide x, Wide) { return std::min(x, static_cast<Wide>(kTop)); });
}

TEST(Unsigned, ElementwiseOpsOfOne) {
  const auto first = [](auto op) { return [op](const Tensor& x, const Tensor&) { return op(x); }; };
  const auto same = [](Wide x, Wide) { return x; };
  agree("abs", first([](const Tensor& x) { return abs(x); }), same);
  agree("relu", first([](const Tensor& x) { return relu(x); }), same);
  agree("floor", first([](const Tensor& x) { return floor(x); }), same);
  agree("round", first([](const Tensor& x) { return round(x); }), same);
  agree("sign", first([](const Tensor& x) { return sign(x); }), [](Wide x, Wide) { return x > 0; });
  agree("neg", first([](const Tensor& x) { return neg(x); }), [](Wide x, Wide) { return -x; });
  agree("not", first([](const Tensor& x) { return bitwise_not(x); }),
        [](Wide x, Wide) { return ~x; });
  agree("logical_not", first([](const Tensor& x) { return logical_not(x); }),
        [](Wide x, Wide) { return x == 0; });
}

TEST(Unsigned, DivisionByZeroIsRefused) {
  const Tensor x = vector_of({kTop}), zero = vector_of({0});
  EXPECT_EQ(code_of([&] { floor_divide(x, zero); }), Code::value);
  EXPECT_EQ(code_of([&] { remainder(x, zero); }), Code::value);
  EXPECT_EQ(words_of(pow(vector_of({3}), x)), Words{1}) << "a large exponent is not negative";
}

TEST(Unsigned, ConvertsToAndFromFloats) {
  const Pairs p;
  const Tensor x = vector_of(p.x);
  const auto doubles = to_vector<double>(to(x, DType::f64));
  const auto floats = to_vector<float>(to(x, DType::f32));
  for (size_t i = 0; i < p.x.size(); ++i) {
    EXPECT_EQ(doubles[i], static_cast<double>(p.x[i]));
    EXPECT_EQ(floats[i], static_cast<float>(p.x[i]));
  }
  EXPECT_EQ(to_vector<float>(div(vector_of({UINT64_MAX}), vector_of({2})))[0], 0x1p63f);
  EXPECT_EQ(to_vector<float>(sqrt(vector_of({kTop * 2 - 1})))[0], 0x1p32f);
  EXPECT_EQ(mean(vector_of({kTop, kTop})).item(), 0x1p63);
  EXPECT_EQ(words_of(to(tensor(std::vector<double>{-1, 0x1p63, 0x1p65, NAN}, {4}), DType::u64)),
            (Words{0, kTop, UINT64_MAX, 0}));
  EXPECT_EQ(to_vector<int64_t>(vector_of({kTop, UINT64_MAX, 7})),
            (std::vector<int64_t>{INT64_MIN, -1, 7}));
  EXPECT_EQ(words_of(to(tensor(std::vector<int64_t>{-1, 7}, {2}), DType::u64)),
            (Words{UINT64_MAX, 7}));
  for (DType half : {DType::f16, DType::bf16}) {
    const Tensor there = to(vector_of({40000, kTop}), half);
    EXPECT_EQ(to_vector<double>(there)[1], half == DType::f16 ? INFINITY : 0x1p63);
    EXPECT_NEAR(to_vector<double>(there)[0], 40000, 200);
  }
}

TEST(Unsigned, Reduces) {
  const Pairs p;
  const Tensor x = vector_of(p.x);
  uint64_t total = 0, product = 1;
  Words totals, products;
  for (uint64_t word : p.x) {
    totals.push_back(total += word);
    products.push_back(product *= word | 1);
  }
  EXPECT_EQ(words_of(sum(x))[0], total);
  EXPECT_EQ(words_of(cumsum(x)), totals);
  const Tensor odd = bitwise_or(x, Tensor(1));
  EXPECT_EQ(words_of(prod(odd))[0], product);
  EXPECT_EQ(words_of(cumprod(odd)), products);
  EXPECT_EQ(words_of(max(x))[0], *std::ranges::max_element(p.x));
  EXPECT_EQ(words_of(min(x))[0], 0u);
  EXPECT_EQ(words_of(min(vector_of({kTop, UINT64_MAX})))[0], kTop);
  EXPECT_EQ(argmax(x).item(), static_cast<double>(std::ranges::max_element(p.x) - p.x.begin()));
  EXPECT_EQ(argmin(vector_of({kTop, 5, UINT64_MAX})).item(), 1);
  const Tensor columns = tensor(Words{1, kTop, kTop, 3}, {2, 2});
  EXPECT_EQ(words_of(max(columns, {{0}})), (Words{kTop, kTop}));
  EXPECT_EQ(words_of(min(columns, {{0}})), (Words{1, 3}));
  EXPECT_EQ(words_of(matmul(columns, columns)),
            (Words{1 + kTop * kTop, kTop + kTop * 3, kTop + 3 * kTop, kTop * kTop + 9}));
  const Tensor both[] = {columns, columns};
  EXPECT_EQ(words_of(einsum("ij,ij->", both))[0], 1 + 2 * (kTop * kTop) + 9);
  EXPECT_EQ(sum(to(columns, DType::u8)).dtype(), DType::i64);
}

TEST(Unsigned, Orders) {
  const Pairs p;
  const Tensor x = vector_of(p.x);
  Words sorted = p.x;
  std::ranges::sort(sorted);
  EXPECT_EQ(words_of(sort(x).values), sorted);
  EXPECT_EQ(words_of(index_select(x, 0, argsort(x))), sorted);
  EXPECT_EQ(words_of(median(x, {0}).values)[0], sorted[(sorted.size() - 1) / 2]);
  EXPECT_EQ(words_of(topk(x, {2}).values),
            (Words{sorted[sorted.size() - 1], sorted[sorted.size() - 2]}));
  const Tensor places =
      searchsorted(vector_of({5, kTop, UINT64_MAX}), vector_of({kTop - 1, kTop + 1}));
  EXPECT_EQ(to_vector<int64_t>(places), (std::vector<int64_t>{1, 2}));
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  EXPECT_EQ(words_of(unique(x).values), sorted);
}

TEST(Unsigned, ScattersWithItsOrder) {
  const Tensor x = vector_of({1, kTop}), index = tensor(std::vector<int64_t>{0, 1}, {2});
  const Tensor from = vector_of({kTop, 5});
  const auto folded = [&](ScatterFold fold) {
    return words_of(scatter_reduce(x, index, from, {0, fold, true}));
  };
  EXPECT_EQ(folded(ScatterFold::amax), (Words{kTop, kTop}));
  EXPECT_EQ(folded(ScatterFold::amin), (Words{1, 5}));
  EXPECT_EQ(folded(ScatterFold::sum), (Words{kTop + 1, kTop + 5}));
  EXPECT_EQ(words_of(scatter_add(x, 0, index, from)), (Words{kTop + 1, kTop + 5}));
}

TEST(Unsigned, LargeIndicesAreOutOfRangeInsteadOfNegative) {
  const Tensor x = vector_of({1, 2, 3});
  EXPECT_EQ(code_of([&] { bincount(vector_of({UINT64_MAX})); }), Code::resource);
  EXPECT_EQ(code_of([&] { index_select(x, 0, vector_of({UINT64_MAX})); }), Code::dtype);
}

TEST(Unsigned, LiteralsMustFit) {
  const Tensor x = vector_of({1});
  EXPECT_EQ(words_of(add(x, Tensor(UINT64_MAX - 1)))[0], UINT64_MAX);
  EXPECT_EQ(Tensor(UINT64_MAX).dtype(), DType::u64);
  EXPECT_EQ(Tensor(uint64_t{7}).dtype(), DType::i64);
  EXPECT_EQ(code_of([&] { add(x, Tensor(-1)); }), Code::value);
  EXPECT_EQ(code_of([&] { add(to(x, DType::i64), Tensor(kTop)); }), Code::value);
  EXPECT_EQ(code_of([&] { full({2}, -1, {DType::u64}); }), Code::value);
  EXPECT_EQ(code_of([&] { full({2}, 0x1p64, {DType::u64}); }), Code::value);
  EXPECT_EQ(words_of(masked_fill(x, eq(x, x), UINT64_MAX))[0], UINT64_MAX);
  EXPECT_EQ(to_vector<float>(masked_fill(to(x, DType::f32), eq(x, x), kTop))[0], 0x1p63f);
  EXPECT_EQ(code_of([&] { add(x, to(x, DType::i32)); }), Code::dtype);
  EXPECT_EQ(words_of(add(x, to(x, DType::u16)))[0], 2u);
}

TEST(Unsigned, IsPrinted) {
  EXPECT_EQ(to_string(vector_of({UINT64_MAX, 3})), "[18446744073709551615                    3]");
  EXPECT_EQ(to_string(to(vector_of({65535, 3}), DType::u16)), "[65535     3]");
}

}  // namespace
}  // namespace gyre
