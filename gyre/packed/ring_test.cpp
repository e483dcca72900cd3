#include "gyre/packed/ring.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/ops/random/random.h"
#include "gyre/packed/ring_tiles.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

std::vector<float> normal_numbers(int64_t count, uint64_t seed) {
  Generator g{seed, 0};
  const Tensor x = randn({count}, {.generator = &g});
  return {x.data<float>(), x.data<float>() + count};
}

std::vector<Packed128> encoded(const RingFormat& format, const std::vector<float>& x,
                               int layer = 0) {
  std::vector<Packed128> words(x.size() / static_cast<size_t>(format.steps));
  encode_rings(format, layer, x, words);
  return words;
}

double relative_error(const RingFormat& format, const std::vector<float>& x, int layer = 0) {
  std::vector<float> y(x.size());
  decode_rings(format, layer, encoded(format, x, layer), y);
  double error = 0, size = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    error += std::pow(static_cast<double>(y[i]) - x[i], 2);
    size += std::pow(static_cast<double>(x[i]), 2);
  }
  return std::sqrt(error / size);
}

TEST(Ring, ValuesHaveMeanZeroAndVarianceOne) {
  for (const RingFormat& format : ring_formats()) {
    double sum = 0, squares = 0;
    for (float v : ring_values(format)) {
      sum += v;
      squares += static_cast<double>(v) * v;
    }
    EXPECT_NEAR(sum / 2048, 0, 1e-6) << format.name;
    EXPECT_NEAR(squares / 2048, 1, 1e-6) << format.name;
  }
}

// Bit j of the ring is bit j of the word; a state is the 11 bits from its step on.
TEST(Ring, StatesAreWindowsOfTheWord) {
  const Packed128 word{0x0123456789abcdef, 0xfedcba9876543210};
  const RingFormat& d4 = ring_format("D4");
  EXPECT_EQ(ring_state(d4, word, 0, 0), 0x210);
  EXPECT_EQ(ring_state(d4, word, 0, 1), 0x321);
  EXPECT_EQ(ring_state(d4, word, 0, 15), 0xeff & 0x7ff);
  EXPECT_EQ(ring_state(d4, word, 0, 17), 0x4de);
  EXPECT_EQ(ring_state(d4, word, 0, 31), 0x100) << "around: 0, then 10 of the beginning";
  EXPECT_FLOAT_EQ(ring_values(d4)[0x210], -1.0939343F) << "docs/packed_format.md";
  const RingFormat& d3 = ring_format("D3");
  EXPECT_EQ(ring_state(d3, {0, 1}, 0, 0), 1);
  EXPECT_EQ(ring_state(d3, {0, 1}, 0, 41), 8) << "of 126 bits";
  const RingFormat& t4 = ring_format("T4");
  EXPECT_EQ(ring_state(t4, word, 0, 2), 0x4de) << "two bits a step of the high half";
  EXPECT_EQ(ring_state(t4, word, 1, 2), 0x321) << "and of the low half";
  EXPECT_EQ(ring_state(t4, word, 0, 31), 0x7ff & (0xcdefull << 2)) << "around its end";
}

TEST(Ring, ErrorsOnNormalNumbersAreThoseOfTheFormat) {
  for (const RingFormat& format : ring_formats()) {
    // a layer of two alone: T4, then T2
    const double expected = format.layers == 1 ? format.error : format.bits == 2 ? .2772 : .536;
    for (int layer = 0; layer < format.layers; ++layer) {
      const double error = relative_error(format, normal_numbers(format.steps * 2000, 5), layer);
      EXPECT_NEAR(error, expected, 0.02 * expected) << format.name;
      EXPECT_GT(error, std::exp2(-format.bits)) << format.name << ", the bound of the rate";
    }
  }
}

// Rings of 4 bits whose states have any numbers.
class Rings {
 public:
  explicit Rings(std::vector<float> values) : values_(std::move(values)) {}

  // The states nearest to x.
  std::vector<uint16_t> encode(const std::vector<float>& x) {
    const RingCode code{4, 32, values_.data()};
    std::vector<uint16_t> states(x.size());
    for (size_t i = 0; i < x.size(); i += 32)
      ring_tiles().encode(code, x.data() + i, states.data() + i, *memory_);
    return states;
  }
  double error(const std::vector<float>& x) {
    const std::vector<uint16_t> states = encode(x);
    double error = 0, size = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      error += std::pow(static_cast<double>(values_[states[i]]) - x[i], 2);
      size += std::pow(static_cast<double>(x[i]), 2);
    }
    return std::sqrt(error / size);
  }
  // Each number becomes the mean of what it stood for (Lloyd's step).
  void fit(const std::vector<float>& x) {
    const std::vector<uint16_t> states = encode(x);
    std::vector<double> sum(values_.size()), count(values_.size());
    for (size_t i = 0; i < x.size(); ++i) {
      sum[states[i]] += x[i];
      ++count[states[i]];
    }
    for (size_t q = 0; q < values_.size(); ++q)
      if (count[q] > 3) values_[q] = static_cast<float>(sum[q] / count[q]);
  }

 private:
  std::vector<float> values_;
  std::unique_ptr<RingMemory> memory_ = std::make_unique_for_overwrite<RingMemory>();
};

// docs/decisions/028: what other generators would give, so that the search is measured, too.
TEST(Ring, GeneratorsHaveTheirErrors) {
  const std::vector<float> fresh = normal_numbers(64000, 5);
  const std::span<const float> own = ring_values(ring_format("D4"));
  std::vector<float> single(2048);
  double sum = 0, squares = 0;
  for (uint32_t q = 0; q < 2048; ++q) {
    const uint32_t z = q * 2971931115u;
    single[q] = static_cast<float>((z & 255) + (z >> 8 & 255) + (z >> 16 & 255) + (z >> 24));
    sum += single[q] / 2048;
    squares += single[q] * single[q] / 2048;
  }
  for (float& v : single) v = static_cast<float>((v - sum) / std::sqrt(squares - sum * sum));
  Rings trained({own.begin(), own.end()});
  for (uint64_t seed = 100; seed < 112; ++seed) trained.fit(normal_numbers(96000, seed));
  EXPECT_NEAR(trained.error(fresh), .0717, .02 * .0717) << "a trained table";
  EXPECT_NEAR(Rings(single).error(fresh), .0737, .02 * .0737) << "one multiplier of 32 bits";
  EXPECT_NEAR(Rings({own.begin(), own.end()}).error(fresh), .0747, .02 * .0747);
}

TEST(Ring, ALargeNumberLeavesTheOthersTheirError) {
  for (const RingFormat& format : ring_formats()) {
    const auto steps = static_cast<size_t>(format.steps);
    std::vector<float> x = normal_numbers(static_cast<int64_t>(40 * steps), 7), y(x.size());
    const double usual = relative_error(format, x);
    for (float large : {50.0F, -1e4F, 1e30F}) {
      for (size_t i = 5; i < x.size(); i += steps) x[i] = large;
      decode_rings(format, 0, encoded(format, x), y);
      double error = 0, size = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        if (i % steps == 5) {
          EXPECT_GT(y[i] * large, 2 * std::abs(large)) << format.name;
        } else {
          error += std::pow(static_cast<double>(y[i]) - x[i], 2);
          size += std::pow(static_cast<double>(x[i]), 2);
        }
      }
      EXPECT_LT(std::sqrt(error / size), 2.5 * usual) << format.name << " " << large;
    }
  }
}

TEST(Ring, NumbersOfWordsAreEncodedWithoutError) {
  for (const RingFormat& format : ring_formats()) {
    std::vector<Packed128> words;
    for (uint64_t i = 1; i <= 20; ++i)
      words.push_back(encoded(format, normal_numbers(format.steps, i))[0]);
    std::vector<float> x(words.size() * static_cast<size_t>(format.steps));
    decode_rings(format, 0, words, x);
    EXPECT_LT(relative_error(format, x), 1e-7) << format.name;
  }
}

TEST(Ring, WordsAreTheSameOnEveryInstructionSetAndNumberOfThreads) {
  const Isa before = isa();
  for (const RingFormat& format : ring_formats()) {
    const std::vector<float> x = normal_numbers(format.steps * 40, 9);
    set_num_threads(1);
    const std::vector<Packed128> wanted = encoded(format, x);
    for (Isa level : {v2, v3, v4}) {
      if (level > cpu_features().best) continue;
      set_isa(level);
      for (int threads : {1, 2, 7}) {
        set_num_threads(threads);
        EXPECT_EQ(encoded(format, x), wanted) << format.name << " " << threads;
      }
    }
    set_isa(before);
  }
  set_num_threads(0);
}

TEST(Ring, StepsWithoutANumberLeaveMoreToTheOthers) {
  for (const RingFormat& format : ring_formats()) {
    const auto steps = static_cast<size_t>(format.steps);
    const std::vector<float> x = normal_numbers(static_cast<int64_t>(20 * steps), 3);
    std::vector<float> some = x, y(x.size()), z(x.size());
    for (size_t i = 1; i < some.size(); i += 2) some[i] = NAN;
    decode_rings(format, 0, encoded(format, x), y);
    decode_rings(format, 0, encoded(format, some), z);
    double all = 0, half = 0;
    for (size_t i = 0; i < x.size(); i += 2) {
      all += std::pow(static_cast<double>(y[i]) - x[i], 2);
      half += std::pow(static_cast<double>(z[i]) - x[i], 2);
    }
    EXPECT_LT(half, 0.5 * all) << format.name;
  }
}

TEST(Ring, RefusesOtherSizesAndWhatIsNotFinite) {
  const RingFormat& d4 = ring_format("D4");
  std::vector<float> x(32);
  std::vector<Packed128> words(1), none;
  EXPECT_EQ(error_of([&] { encode_rings(d4, 0, x, none); }).code, Code::shape);
  EXPECT_EQ(error_of([&] { decode_rings(d4, 0, none, x); }).code, Code::shape);
  x[7] = std::numeric_limits<float>::infinity();
  const Error e = error_of([&] { encode_rings(d4, 0, x, words); });
  EXPECT_EQ(e.code, Code::numeric);
  EXPECT_NE(std::string(e.what()).find("number 7"), std::string::npos) << e.what();
  EXPECT_EQ(error_of([] { ring_format("d9"); }).code, Code::value);
}

}  // namespace
}  // namespace gyre
