#include "gyre/ops/attention/cached_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/base/thread_pool.h"
#include "gyre/ops/attention/attention.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

struct CacheSizes {
  int64_t heads, group, queries, width, out, capacity;
  std::vector<int64_t> lengths;
};

CachedTokens cache_room(const Shape& shape, DType dtype) {
  CachedTokens tokens{zeros(shape, {.dtype = dtype})};
  if (dtype == DType::i8) tokens.scales = zeros({shape[0], shape[1], shape[2]});
  return tokens;
}

Tensor row_lengths(const std::vector<int64_t>& lengths) {
  return tensor(lengths, {static_cast<int64_t>(lengths.size())});
}

// Random operands of attention to a cache.
struct CacheCase {
  CacheCase(const CacheSizes& s, DType dtype)
      : q(rand_in({rows(s), s.heads * s.group, s.queries, s.width})),
        keys(cache_room({rows(s), s.heads, s.capacity, s.width}, dtype)),
        values(cache_room({rows(s), s.heads, s.capacity, s.out}, dtype)),
        lengths(row_lengths(s.lengths)) {
    const Tensor all = row_lengths(std::vector<int64_t>(s.lengths.size(), s.capacity));
    write_tokens(keys, all, rand_in(keys.values.shape()));
    write_tokens(values, all, rand_in(values.values.shape()));
  }
  static int64_t rows(const CacheSizes& s) { return static_cast<int64_t>(s.lengths.size()); }
  static Tensor rand_in(const Shape& shape) { return rand(shape) * 2.0 - 1.0; }

  Tensor operator()(const CachedAttentionAttrs& attrs = {}) const {
    return cached_attention(q, keys, values, lengths, attrs);
  }
  // What the elements stand for, in f64.
  static Tensor exact(const CachedTokens& t) {
    const Tensor x = to(t.values, DType::f64);
    return t.scales.defined() ? x * unsqueeze(to(t.scales, DType::f64), 3) : x;
  }
  [[nodiscard]] Tensor wanted(const CachedAttentionAttrs& a) const {
    return scaled_dot_product_attention(
        to(q, DType::f64), exact(keys), exact(values), Tensor(), lengths,
        {.causal = true, .scale = a.scale, .softcap = a.softcap, .window = a.window});
  }

  Tensor q;
  CachedTokens keys, values;
  Tensor lengths;
};

constexpr DType kCacheDTypes[] = {DType::f32, DType::f16, DType::bf16, DType::i8, DType::f64};

// One and several queries and heads, in and above those that are multiplied as keys are read; keys
// in one part and in many; widths between those of vectors.
const std::vector<CacheSizes> kCacheSizes = {
    {1, 1, 1, 64, 64, 300, {299}},        {3, 3, 1, 64, 64, 5000, {4100}},
    {2, 1, 2, 5, 19, 40, {40, 2, 17}},    {1, 7, 1, 20, 80, 700, {700, 1}},
    {1, 5, 2, 48, 129, 130, {130}},       {2, 2, 70, 33, 16, 900, {800, 70}},
    {9, 2, 130, 16, 32, 300, {300, 131}}, {1, 1, 3, 1, 1, 3, {3}}};

TEST(CachedAttention, IsThatOfTheStoredNumbers) {
  GeneratorScope seed{Generator{7}};
  for (const DType dtype : kCacheDTypes) {
    for (size_t i = 0; i < kCacheSizes.size(); ++i) {
      CacheCase c(kCacheSizes[i], dtype);
      if (dtype == DType::f64) c.q = to(c.q, dtype);
      for (const CachedAttentionAttrs& a :
           {CachedAttentionAttrs{}, CachedAttentionAttrs{.scale = 0.7, .softcap = 0.5},
            CachedAttentionAttrs{.window = 33}, CachedAttentionAttrs{.softcap = 2, .window = 1}}) {
        // sums of up to 129 terms of at most 1, in f32
        EXPECT_LE(largest_difference(c(a), c.wanted(a)), dtype == DType::f64 ? 1e-13 : 3e-6)
            << name_of(dtype) << " " << i << " " << a.window << " " << a.softcap;
      }
    }
  }
}

TEST(CachedAttention, TakesQueriesOfEachDtypeAndStride) {
  GeneratorScope seed{Generator{7}};
  CacheCase c({2, 2, 3, 8, 8, 20, {20, 11}}, DType::f16);
  const Tensor whole = c();
  c.q = transpose(contiguous(transpose(c.q, 1, 2)), 1, 2);
  EXPECT_EQ(largest_difference(c(), whole), 0);
  for (const DType dtype : {DType::bf16, DType::f16, DType::f64}) {
    CacheCase other = c;
    other.q = to(c.q, dtype);
    EXPECT_EQ(other().dtype(), dtype);
    EXPECT_LE(largest_difference(other(), whole), 2e-2) << name_of(dtype);
  }
  const SliceAttrs second{0, 1, 2, 1};
  const Tensor alone = cached_attention(slice(c.q, second), {slice(c.keys.values, second)},
                                        {slice(c.values.values, second)}, slice(c.lengths, second));
  EXPECT_LE(largest_difference(alone, slice(whole, second)), 1e-6);
}

TEST(CachedAttention, HasTheSameBitsForAnyNumberOfThreads) {
  GeneratorScope seed{Generator{8}};
  for (const DType dtype : kCacheDTypes) {
    for (const CacheSizes& sizes : kCacheSizes) {
      const CacheCase c(sizes, dtype);
      std::vector<std::vector<double>> found;
      for (const int threads : {1, 2, 5}) {
        set_num_threads(threads);
        found.push_back(to_vector<double>(c()));
      }
      set_num_threads(0);
      EXPECT_EQ(found[0], found[1]);
      EXPECT_EQ(found[0], found[2]);
    }
  }
}

TEST(CachedAttention, ARingGivesWhatTheWholeRowGives) {
  GeneratorScope seed{Generator{9}};
  for (const DType dtype : kCacheDTypes) {
    for (const int64_t queries : {1, 3, 10}) {
      constexpr int64_t kTokens = 900, kWidth = 24, kWindow = 300;
      const Tensor k = CacheCase::rand_in({2, 2, kTokens, kWidth}),
                   v = CacheCase::rand_in({2, 2, kTokens, kWidth});
      CachedTokens keys[2], values[2];  // all tokens, and a ring
      for (int ring : {0, 1}) {
        const Shape shape{2, 2, ring ? kWindow + 9 : kTokens, kWidth};
        keys[ring] = cache_room(shape, dtype);
        values[ring] = cache_room(shape, dtype);
      }
      // row 1 is 100 tokens behind
      for (int64_t end = 100 + queries; end <= kTokens; end += queries) {
        const Tensor lengths = row_lengths({end, end - 100});
        const auto last = [&](const Tensor& x) {
          const auto row = [&](int64_t r, int64_t past) {
            return slice(slice(x, {0, r, r + 1, 1}), {2, past - queries, past, 1});
          };
          const Tensor both[] = {row(0, end), row(1, end - 100)};
          return cat(both, 0);
        };
        for (int ring : {0, 1}) {
          write_tokens(keys[ring], lengths, last(k), ring);
          write_tokens(values[ring], lengths, last(v), ring);
        }
        if (end % 7 != 0 && end + queries <= kTokens) continue;
        const Tensor q = CacheCase::rand_in({2, 4, queries, kWidth});
        const Tensor whole = cached_attention(q, keys[0], values[0], lengths, {.window = kWindow});
        const Tensor some =
            cached_attention(q, keys[1], values[1], lengths, {.window = kWindow, .ring = true});
        ASSERT_LE(largest_difference(some, whole), 2e-6) << name_of(dtype) << " after " << end;
      }
    }
  }
}

TEST(CachedAttention, KeepsNumbersThatAreNotFinite) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity();
  GeneratorScope seed{Generator{10}};
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::i8}) {
    for (const int64_t queries : {1, 20}) {
      for (const float bad : {kNan, kInfinity}) {
        CacheCase c({1, 1, queries, 8, 8, 600, {600}}, dtype);
        write_tokens(c.values, row_lengths({500}), full({1, 1, 1, 8}, bad));
        const float found = to_vector<float>(c())[0];
        EXPECT_FALSE(std::isfinite(found)) << name_of(dtype) << " " << bad << " " << found;
        const float hidden = to_vector<float>(c({.window = 50}))[0];
        EXPECT_TRUE(std::isfinite(hidden)) << "beyond the window";
        write_tokens(c.keys, row_lengths({599}), full({1, 1, 1, 8}, kNan));
        EXPECT_TRUE(std::isnan(to_vector<float>(c())[8 * queries - 1]));
      }
    }
  }
}

TEST(CachedAttention, RefusesWhatDoesNotFit) {
  const CacheCase c({2, 2, 3, 8, 8, 20, {20, 11}}, DType::f32);
  const auto code = [&](const CacheCase& x, const CachedAttentionAttrs& a = {}) {
    return code_of([&] { (void)x(a); });
  };
  const auto changed = [&](auto change) {
    CacheCase x = c;
    change(x);
    return code(x);
  };
  EXPECT_EQ(changed([](CacheCase& x) { x.lengths = row_lengths({21, 11}); }), Code::index);
  EXPECT_EQ(changed([](CacheCase& x) { x.lengths = row_lengths({20, 2}); }), Code::index);
  EXPECT_EQ(changed([](CacheCase& x) { x.lengths = row_lengths({20}); }), Code::shape);
  EXPECT_EQ(changed([](CacheCase& x) { x.lengths = zeros({2}); }), Code::dtype);
  EXPECT_EQ(changed([](CacheCase& x) { x.q = zeros({2, 3, 3, 8}); }), Code::shape);
  EXPECT_EQ(changed([](CacheCase& x) { x.q = zeros({2, 4, 3, 7}); }), Code::shape);
  EXPECT_EQ(changed([](CacheCase& x) { x.q = zeros({4, 3, 8}); }), Code::shape);
  EXPECT_EQ(changed([](CacheCase& x) { x.values.values = zeros({2, 2, 19, 8}); }), Code::shape);
  EXPECT_EQ(changed([](CacheCase& x) { x.values.values = to(x.values.values, DType::f16); }),
            Code::dtype);
  EXPECT_EQ(changed([](CacheCase& x) { x.keys.values = to(x.keys.values, DType::i32); }),
            Code::dtype);
  EXPECT_EQ(changed([](CacheCase& x) { x.keys.scales = zeros({2, 2, 20}); }), Code::dtype);
  CacheCase bytes({2, 2, 3, 8, 8, 20, {20, 11}}, DType::i8);
  bytes.keys.scales = zeros({2, 2, 19});
  EXPECT_EQ(code(bytes), Code::shape);
  bytes.keys.scales = Tensor();
  EXPECT_EQ(code(bytes), Code::dtype);
  EXPECT_EQ(code(c, {.scale = -1}), Code::value);
  EXPECT_EQ(code(c, {.window = -1}), Code::value);
  EXPECT_EQ(code(c, {.ring = true}), Code::value);
  EXPECT_EQ(code(c, {.window = 19, .ring = true}), Code::value);
  EXPECT_NO_THROW((void)c({.window = 18, .ring = true}));
  const CacheCase wide({1, 1, 1, 16385, 1, 1, {1}}, DType::f32);
  EXPECT_EQ(code(wide), Code::unsupported);
  const CacheCase none({1, 2, 0, 4, 4, 5, {0}}, DType::f32);
  EXPECT_EQ(none().shape(), (Shape{1, 2, 0, 4}));
}

TEST(WriteTokens, RoundsToTheDtypeOfTheCache) {
  GeneratorScope seed{Generator{3}};
  const Tensor x = randn({2, 3, 4, 21}), lengths = row_lengths({4, 6});
  for (const DType dtype : {DType::f16, DType::bf16, DType::f64}) {
    for (const DType from : {DType::f32, DType::bf16, DType::f64}) {
      const CachedTokens cache = cache_room({2, 3, 6, 21}, dtype);
      write_tokens(cache, lengths, to(x, from));
      const Tensor wanted = to(to(to(x, from), dtype), DType::f64);
      for (int64_t r : {0, 1}) {
        const Tensor row = slice(select(cache.values, {0, r}), {1, 2 * r, 2 * r + 4, 1});
        EXPECT_EQ(largest_difference(row, select(wanted, {0, r})), 0)
            << name_of(from) << " " << name_of(dtype);
      }
    }
  }
}

TEST(WriteTokens, RoundsBytesToNearest) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kTiny = std::numeric_limits<float>::denorm_min();
  const auto written = [](const std::vector<float>& x) {
    const auto n = static_cast<int64_t>(x.size());
    const CachedTokens cache = cache_room({1, 1, 1, n}, DType::i8);
    write_tokens(cache, row_lengths({1}), tensor(x, {1, 1, 1, n}));
    return cache;
  };
  EXPECT_EQ(to_vector<int>(to(written({127, -0.5, 1.5, 2.5, -126.4F}).values, DType::i32)),
            (std::vector<int>{127, 0, 2, 2, -126}));
  const CachedTokens zero = written({0, 0, 0});
  EXPECT_EQ(to_vector<float>(CacheCase::exact(zero)), (std::vector<float>{0, 0, 0}));
  for (const float top : {kTiny, 100 * kTiny, 1e-38F, 3e38F}) {
    const CachedTokens some = written({top, -top, top / 2});
    const std::vector<double> found = to_vector<double>(CacheCase::exact(some));
    EXPECT_NEAR(found[0], top, std::max<double>(top / 127, 64 * kTiny)) << top;
    EXPECT_EQ(found[0], -found[1]);
  }
  for (const float bad : {kNan, -std::numeric_limits<float>::infinity()}) {
    std::vector<float> x(20, 1);
    x[17] = bad;
    EXPECT_TRUE(std::isnan(to_vector<float>(written(x).scales)[0]));
  }
  GeneratorScope seed{Generator{4}};
  const Tensor x = randn({1, 1, 1, 999});
  const std::vector<float> in = to_vector<float>(x);
  const CachedTokens cache = written(in);
  EXPECT_LE(largest_difference(CacheCase::exact(cache), x),
            0.501 * to_vector<float>(cache.scales)[0]);
}

TEST(WriteTokens, RefusesScalesThatDoNotFit) {
  const Tensor lengths = row_lengths({1}), x = ones({1, 1, 1, 3});
  const auto code = [&](const CachedTokens& cache) {
    return code_of([&] { write_tokens(cache, lengths, x); });
  };
  CachedTokens bytes = cache_room({1, 1, 2, 3}, DType::i8);
  bytes.scales = zeros({1, 1, 3});
  EXPECT_EQ(code(bytes), Code::shape);
  bytes.scales = zeros({1, 1, 2}, {.dtype = DType::f64});
  EXPECT_EQ(code(bytes), Code::dtype);
  bytes.scales = Tensor();
  EXPECT_EQ(code(bytes), Code::dtype);
  EXPECT_EQ(code({zeros({1, 1, 2, 3}), zeros({1, 1, 2})}), Code::dtype);
  const CachedTokens ring = cache_room({1, 1, 2, 3}, DType::f32);
  EXPECT_EQ(code_of([&] {
              write_tokens(ring, row_lengths({9}), ones({1, 1, 3, 3}), true);
            }),
            Code::shape);
  EXPECT_EQ(code_of([&] { write_tokens(ring, row_lengths({0}), x, true); }), Code::index);
}

}  // namespace
}  // namespace gyre
