#include "gyre/ops/random/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/ops/random/random_tiles.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/sample_calls.h"
#include "tests/thrown.h"

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#include "gyre/ops/random/random.def"
#undef OP
GYRE_DECLARE_TILES(RandomTiles, random)

namespace {

using Numbers = std::vector<double>;

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.numel() == b.numel() &&
         std::memcmp(a.bytes(), b.bytes(), static_cast<size_t>(a.numel()) * size_of(a.dtype())) ==
             0;
}

// Kolmogorov-Smirnov statistic times sqrt(n): above 1.95 for one in a thousand samples.
template <class F>
double distance(Numbers sample, F distribution) {
  std::sort(sample.begin(), sample.end());
  double n = static_cast<double>(sample.size()), worst = 0;
  for (size_t i = 0; i < sample.size(); ++i) {
    double f = distribution(sample[i]), k = static_cast<double>(i);
    worst = std::max({worst, f - k / n, (k + 1) / n - f});
  }
  return worst * std::sqrt(n);
}

// Deviation of the mean of f over the sample, in standard errors.
template <class F>
double deviation(const Numbers& sample, F f, double mean, double variance) {
  double sum = 0;
  for (double x : sample) sum += f(x);
  double n = static_cast<double>(sample.size());
  return (sum / n - mean) / std::sqrt(variance / n);
}

constexpr double kErrors = 4;  // standard errors that a moment may be off

TEST(Uniform, MomentsAndDistribution) {
  for (DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    Generator g{42, 0};
    Numbers x = elements(rand({100000}, {.dtype = dtype, .generator = &g}));
    double unit = dtype == DType::f16 ? 0x1p-11 : dtype == DType::bf16 ? 0x1p-8 : 0;
    double step = dtype == DType::f64 ? 0x1p-53 : dtype == DType::f32 ? 0x1p-24 : unit;
    for (double v : x) ASSERT_TRUE(v >= 0 && v < 1 && std::fmod(v, step) == 0) << v;
    for (double& v : x) v += unit / 2;  // the middle of the interval that v stands for
    EXPECT_LT(std::fabs(deviation(
                  x, [](double v) { return v; }, 0.5, 1. / 12)),
              kErrors);
    EXPECT_LT(std::fabs(deviation(
                  x, [](double v) { return (v - 0.5) * (v - 0.5); }, 1. / 12, 1. / 180)),
              kErrors);
    if (unit > 0) continue;  // ties
    EXPECT_LT(distance(x, [](double v) { return v; }), 1.95);
  }
}

TEST(Normal, MomentsAndDistribution) {
  for (DType dtype : {DType::f64, DType::f32, DType::f16}) {
    Generator g{43, 0};
    Numbers x = elements(randn({100001}, {.dtype = dtype, .generator = &g}));
    auto power = [](int k) { return [k](double v) { return std::pow(v, k); }; };
    EXPECT_LT(std::fabs(deviation(x, power(1), 0, 1)), kErrors);
    EXPECT_LT(std::fabs(deviation(x, power(2), 1, 2)), kErrors);
    EXPECT_LT(std::fabs(deviation(x, power(3), 0, 15)), kErrors);
    EXPECT_LT(std::fabs(deviation(x, power(4), 3, 96)), kErrors);
    double products = 0;  // neighbours are the cosine and sine of one pair
    for (size_t i = 0; i + 1 < x.size(); ++i) products += x[i] * x[i + 1];
    EXPECT_LT(std::fabs(products) / std::sqrt(100000.), kErrors);
    if (dtype == DType::f16) continue;  // ties
    EXPECT_LT(distance(x, [](double v) { return 0.5 * std::erfc(-v / std::sqrt(2.)); }), 1.95);
  }
}

// The tiles against libm on the same numbers, ends included.
TEST(Normal, IsTheBoxMullerTransform) {
  constexpr size_t n = 4097;  // an odd number, whose last pair is cut
  std::vector<uint64_t> words(n + 1 + 2 * kSpareBlocks);
  for (size_t i = 0; i <= n; ++i) {
    auto w = philox(9, i);
    words[i] = w[0] | static_cast<uint64_t>(w[1]) << 32;
    if (i < 6 && i % 2 == 0) words[i] = i == 0 ? ~uint64_t{0} : i == 2 ? 0 : ~uint64_t{0} << 12;
    if (i < 18 && i % 2 == 1) words[i] = (i / 2 << 61) - (i == 1 ? 0 : 1);  // eighths of a turn
  }
  const auto* halves = reinterpret_cast<const uint32_t*>(words.data());
  for (bool wide : {true, false}) {
    auto number = [&](size_t i) {
      return wide ? (static_cast<double>(words[i] >> 11) + 1) * 0x1p-53
                  : (halves[i] + 1.) * 0x1p-32;
    };
    std::vector<double> out(n + 1, 7);
    (wide ? random_tiles().normal_f64 : random_tiles().normal)({}, halves, nullptr, out.data(), n);
    EXPECT_EQ(out[n], 7);
    for (size_t i = 0; i < n; ++i) {
      double radius = std::sqrt(-2 * std::log(number(i - i % 2)));
      double angle = 2 * M_PI * number(i - i % 2 + 1);
      EXPECT_NEAR(out[i], radius * (i % 2 ? std::sin(angle) : std::cos(angle)), 4e-15) << i;
    }
  }
}

TEST(Integers, CoverTheRangeEvenly) {
  Generator g{44, 0};
  std::vector<int64_t> x =
      to_vector<int64_t>(randint(-3, 7, {100000}, {DType::i64, {}, false, &g}));
  std::vector<double> counts(10);
  for (int64_t v : x) {
    ASSERT_TRUE(v >= -3 && v < 7);
    ++counts[static_cast<size_t>(v + 3)];
  }
  double chi = 0;
  for (double c : counts) chi += (c - 10000) * (c - 10000) / 10000;
  EXPECT_LT(chi, 27.9);  // 9 degrees of freedom, once in a thousand
  Tensor wide = randint(INT64_MIN, INT64_MAX, {1000});
  std::vector<int64_t> w = to_vector<int64_t>(wide);
  EXPECT_GT(std::count_if(w.begin(), w.end(), [](int64_t v) { return v < 0; }), 400);
  EXPECT_LT(std::count_if(w.begin(), w.end(), [](int64_t v) { return v < 0; }), 600);
  EXPECT_EQ(randint(5, 6, {3}, {.dtype = DType::u8}).dtype(), DType::u8);
}

TEST(Bernoulli, HasItsProbability) {
  for (double p : {0.0, 0.1, 0.5, 1.0}) {
    Generator g{45, 0};
    Numbers x = elements(bernoulli(p, {100000}, {.dtype = DType::u8, .generator = &g}));
    double sum = 0;
    for (double v : x) sum += v;
    EXPECT_LE(std::fabs(sum / 1e5 - p), kErrors * std::sqrt(p * (1 - p) / 1e5));
  }
}

TEST(Dropout, DropsAndScales) {
  Generator g{46, 0};
  Tensor x = full({100000}, 3);
  for (double p : {0.1, 0.5, 0.9}) {
    Numbers y = elements(dropout(x, p, true, &g));
    double kept = 0;
    for (double v : y) {
      ASSERT_TRUE(v == 0 || std::fabs(v - 3 / (1 - p)) < 1e-6 * v);
      kept += v != 0;
    }
    EXPECT_LT(std::fabs(kept / 1e5 - (1 - p)), kErrors * std::sqrt(p * (1 - p) / 1e5));
  }
  EXPECT_EQ(dropout(x, 0.5, false, &g).impl(), x.impl());
  EXPECT_EQ(dropout(x, 0, true, &g).impl(), x.impl());
  EXPECT_EQ(elements(dropout(full({3}, INFINITY), 1, true, &g)), (Numbers{0, 0, 0}));
  EXPECT_EQ(dropout(zeros({0, 3}), 1, true, &g).numel(), 0);
  EXPECT_EQ(code_of([&] { dropout(x, -1, false); }), Code::value);
}

TEST(Dropout, ARefusedCallTakesNoNumbers) {
  Generator g{46, 5};
  EXPECT_EQ(code_of([&] { dropout(full({9}, 3), 2, true, &g); }), Code::value);
  EXPECT_EQ(code_of([&] { dropout(full({9}, 3, {DType::i64}), 0.5, true, &g); }), Code::dtype);
  EXPECT_EQ(code_of([&] { dropout(Tensor(), 0.5, true, &g); }), Code::value);
  EXPECT_EQ(g.offset, 5u);
  dropout(full({9}, 3), 0.5, true, &g);
  EXPECT_EQ(g.offset, 8u);
}

TEST(Dropout, TheMaskDependsOnPlacesOnly) {
  DropoutAttrs attrs{0.3, 5, 11};
  Samples s;
  Tensor x = s.uniform({60, 70}, 1, 2);
  Numbers plain = elements(dropout(x, attrs));
  Tensor turned = transpose(clone(transpose(x, 0, 1)), 0, 1);
  EXPECT_EQ(elements(dropout(turned, attrs)), plain);
  for (DType dtype : {DType::f16, DType::bf16, DType::f32}) {
    Numbers other = elements(dropout(to(x, dtype), attrs));
    for (size_t i = 0; i < plain.size(); ++i) ASSERT_EQ(other[i] == 0, plain[i] == 0);
  }
}

TEST(Generators, MoveOnceACallAndRepeat) {
  Generator g{7, 0};
  Tensor a = rand({10}, {.generator = &g});
  EXPECT_EQ(g.offset, 3u);
  Tensor b = rand({10}, {.generator = &g});
  EXPECT_EQ(g.offset, 6u);
  EXPECT_NE(elements(a), elements(b));
  Generator again{7, 3};
  EXPECT_TRUE(same_bytes(rand({10}, {.generator = &again}), b));
  randn({3}, {.dtype = DType::f64, .generator = &g});
  EXPECT_EQ(g.offset, 8u);
  manual_seed(3);
  Tensor c = randn({5});
  manual_seed(3);
  EXPECT_TRUE(same_bytes(randn({5}), c));
  EXPECT_EQ(default_generator().offset, 2u);
  EXPECT_EQ(code_of([] { rand({-1}); }), Code::value);
  EXPECT_EQ(default_generator().offset, 2u);
  EXPECT_EQ(code_of([] { randn({1}, {.device = {Device::cuda, 0}}); }), Code::unavailable);
}

// A longer tensor begins as a shorter one does: values depend on the place alone.
TEST(Generators, ACallGoesOnWhereTheOneBeforeEnded) {
  for (DType dtype : {DType::f32, DType::f64}) {
    auto joined = [&](auto draw) {
      Generator two{7}, one{7};
      TensorOptions first{.dtype = dtype, .generator = &two},
          whole{.dtype = dtype, .generator = &one};
      Tensor a = draw(Shape{1000}, first), b = draw(Shape{1000}, first);
      EXPECT_TRUE(same_bytes(cat({a, b}, 0), draw(Shape{2000}, whole))) << name_of(dtype);
      EXPECT_EQ(two.offset, one.offset);
    };
    joined([](const Shape& s, const TensorOptions& o) { return rand(s, o); });
    joined([](const Shape& s, const TensorOptions& o) { return randn(s, o); });
    joined([](const Shape& s, TensorOptions o) {
      o.dtype = DType::i64;
      return randint(-5, 1000, s, o);
    });
  }
}

TEST(Generators, ValuesDoNotDependOnTheRest) {
  for (DType dtype : {DType::f32, DType::f64}) {
    Generator g{8, 0}, h{8, 0};
    Tensor a = randn({100001}, {.dtype = dtype, .generator = &g});
    Tensor b = randn({777}, {.dtype = dtype, .generator = &h});
    EXPECT_TRUE(same_bytes(clone(slice(a, {.stop = 777})), b));
  }
}

TEST(Generators, SameBitsOnEveryNumberOfThreads) {
  auto all = [] {
    Generator g{9, 0};
    Tensors r;
    for (DType dtype : {DType::f32, DType::f64}) {
      r.push_back(rand({200001}, {.dtype = dtype, .generator = &g}));
      r.push_back(randn({200001}, {.dtype = dtype, .generator = &g}));
      r.push_back(dropout(r.back(), 0.4, true, &g));
    }
    r.push_back(randint(0, 1000, {200001}, {.dtype = DType::i64, .generator = &g}));
    r.push_back(bernoulli(0.2, {200001}, {.dtype = DType::boolean, .generator = &g}));
    return r;
  };
  set_num_threads(1);
  Tensors expected = all();
  for (int threads : {2, 3, 7}) {
    set_num_threads(threads);
    Tensors other = all();
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(same_bytes(other[i], expected[i]));
  }
  set_num_threads(0);
}

// Against philox() itself, and each set against the first.
TEST(Tiles, SameBitsOnEveryInstructionSet) {
  const PerIsa<RandomTiles> all = GYRE_TILES_OF(random);
  constexpr int64_t n = 1024;
  std::vector<uint32_t> words(4 * n);
  constexpr uint64_t kThreshold = 0x90000000;
  std::vector<double> y(n + 3, 2.25), expected, expected_wide;
  std::vector<float> x(n + 3, 1.5f), dropped(n + 3);
  for (int level = 0; level <= isa(); ++level) {
    const RandomTiles& tiles = *all[static_cast<size_t>(level)];
    uint64_t seed = 0x123456789abcdef0, block = 0xfffffff0;  // passes 2^32
    words.assign(4 * (n + kSpareBlocks), 0);
    tiles.words(seed, block, words.data(), n);
    for (uint64_t b = 0; b < n; ++b) {
      auto four = philox(seed, block + b);
      ASSERT_TRUE(
          std::equal(four.begin(), four.end(), words.begin() + static_cast<int64_t>(4 * b)));
    }
    const size_t each = n + 3;  // not a multiple of any width
    std::vector<float> floats(each);
    std::vector<double> doubles(each), normals(each), wide(each), dropped64(each);
    std::vector<int64_t> integers(each);
    std::vector<int32_t> truths(each);
    auto draw = [&](Draw tile, const DrawNumbers& c, auto& to, const void* in = nullptr) {
      tile(c, words.data(), in, to.data(), n + 3);
    };
    draw(tiles.uniform, {.bits = 11}, floats);
    draw(tiles.uniform_f64, {}, doubles);
    draw(tiles.normal, {}, normals);
    draw(tiles.normal_f64, {}, wide);
    draw(tiles.integers, {.low = INT64_MIN, .range = ~uint64_t{0} - 5}, integers);
    draw(tiles.dropout, {.threshold = kThreshold, .scale = 1.25}, dropped, x.data());
    draw(tiles.dropout_f64, {.threshold = kThreshold, .scale = 1.25}, dropped64, y.data());
    if (level == 0) {
      expected = normals;
      expected_wide = wide;
    }
    EXPECT_EQ(normals, expected);
    EXPECT_EQ(wide, expected_wide);
    for (uint64_t threshold : {uint64_t{0}, kThreshold, uint64_t{1} << 32}) {
      draw(tiles.bernoulli, {.threshold = threshold}, truths);
      for (size_t i = 0; i < each; ++i) ASSERT_EQ(truths[i], words[i] < threshold);
    }
    for (size_t i = 0; i < each; ++i) {
      const uint64_t pair = words[2 * i] | static_cast<uint64_t>(words[2 * i + 1]) << 32;
      __extension__ typedef unsigned __int128 Wide;
      const auto upper = static_cast<uint64_t>(static_cast<Wide>(pair) * (~uint64_t{0} - 5) >> 64);
      ASSERT_EQ(floats[i], static_cast<float>(words[i] >> 21) * 0x1p-11f);
      ASSERT_EQ(doubles[i], static_cast<double>(pair >> 11) * 0x1p-53);
      ASSERT_EQ(integers[i], static_cast<int64_t>((uint64_t{1} << 63) + upper));
      ASSERT_EQ(dropped[i], words[i] < kThreshold ? 0 : 1.875f);
      ASSERT_EQ(dropped64[i], words[i] < kThreshold ? 0 : 2.25 * 1.25);
    }
  }
}

TEST(RandomSamples, ValidCallsRunAndInvalidOnesAreRefused) {
#define OP(name) EXPECT_EQ(sample_problems(name##_def), "");
#include "gyre/ops/random/random.def"
#undef OP
}

}  // namespace
}  // namespace gyre
