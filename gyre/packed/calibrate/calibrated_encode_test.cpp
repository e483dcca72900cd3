#include "gyre/packed/calibrate/calibrated_encode.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/base/cpu.h"
#include "gyre/base/error.h"
#include "gyre/base/thread_pool.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/linalg/decompositions.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/linalg/solve.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/calibrate/block_factor.h"
#include "gyre/packed/test_packed.h"
#include "tests/fewer.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// A matrix with the eigenvalues i^-power in a random basis.
Tensor correlated(int64_t n, double power, uint64_t seed) {
  std::vector<float> sizes;
  for (int64_t i = 1; i <= n; ++i)
    sizes.push_back(static_cast<float>(std::pow(static_cast<double>(i), -power)));
  const Tensor q = qr(normal({n, n}, seed)).q;
  return matmul(q * tensor<float>(sizes, {1, n}), transpose(q, 0, 1));
}

Tensor identity(int64_t n) { return correlated(n, 0, 1); }

bool same_words(const Tensor& a, const Tensor& b) {
  const auto x = packed_storage(a).words(), y = packed_storage(b).words();
  return std::ranges::equal(x, y,
                            [](Packed128 p, Packed128 q) { return p.hi == q.hi && p.lo == q.lo; });
}

std::vector<const RingFormat*> formats() {
  std::vector<const RingFormat*> all;
  for (const RingFormat& f : ring_formats()) all.push_back(&f);
  return all;
}

double trace(const Tensor& x) {
  double sum = 0;
  const auto entries = to_vector<double>(x);
  for (size_t i = 0; i < entries.size(); i += static_cast<size_t>(x.size(0)) + 1) sum += entries[i];
  return sum;
}

TEST(BlockFactor, IsADecomposition) {
  for (int64_t block : {1, 4, 7}) {
    const int64_t n = 30;
    const Tensor h = to(correlated(n, 1.5, 3), DType::f64);
    const Tensor damped = h + to(identity(n), DType::f64) * Tensor(0.1 * trace(h) / 30);
    const BlockFactor factor(h, block, 0.1);
    const std::vector<float> l = factor.panel(0, n);
    // D = L^-1 H L^-T
    const Tensor lower = to(tensor<float>(l, {n, n}), DType::f64),
                 half = triangular_solve(lower, damped),
                 rest = triangular_solve(lower, transpose(half, 0, 1));
    const auto d = to_vector<double>(rest);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        const auto at = static_cast<size_t>(i * n + j);
        if (i / block == j / block) {
          EXPECT_EQ(l[at], i == j ? 1 : 0);
        } else {
          EXPECT_NEAR(d[at], 0, 1e-6);
        }
        EXPECT_TRUE(j <= i || l[at] == 0);
      }
    }
    EXPECT_NEAR(factor.remainder(), trace(rest) / trace(damped), 1e-6);
  }
}

TEST(CalibratedEncode, IdentitiesGiveTheWordsOfNoFeedback) {
  const Tensor x = normal({37, 300}, 5) * Tensor(0.1);
  std::vector<float> ones(300 * 300);
  for (size_t i = 0; i < 300; ++i) ones[i * 301] = 1;
  const Tensor h = tensor<float>(ones, {300, 300}),
               o = slice(slice(h, {0, 0, 37, 1}), {1, 0, 37, 1});
  for (const RingFormat* format : fewer_of(formats())) {
    const Tensor plain = packed_encode(x, *format);
    for (const CalibrationSides& sides : {CalibrationSides{}, CalibrationSides{h},
                                          CalibrationSides{{}, o}, CalibrationSides{h, o}}) {
      const Tensor w = packed_encode_calibrated(x, *format, sides);
      EXPECT_TRUE(same_words(w, plain)) << format->name;
      EXPECT_LT(distance(packed_decode(w), packed_decode(plain)), 1e-3) << format->name;
    }
  }
}

// Errors are those of independent noise: feedback leaves tr D of tr H.
TEST(CalibratedEncode, FeedbackLowersTheErrorAsTheoryPredicts) {
  const int64_t rows = 64, cols = 256;
  const Tensor x = normal({rows, cols}, 5), h = correlated(cols, 1, 1), o = correlated(rows, 1, 2);
  for (const RingFormat* format : fewer_of(formats())) {
    if (format->bits * format->layers < 2) continue;
    const double in = BlockFactor(h, format->tile_inputs, 0.01).remainder(),
                 out = BlockFactor(o, kTileOutputs, 0.01).remainder();
    const Tensor plain = packed_encode(x, *format, 0);
    const auto left = [&](const CalibrationSides& sides, CalibrationSides by) {
      by.damping = 0.01;
      return calibrated_error(x, packed_encode_calibrated(x, *format, by, 0), sides) /
             calibrated_error(x, plain, sides);
    };
    EXPECT_NEAR(left({h}, {h}) / in, 1, 0.2) << format->name;
    EXPECT_NEAR(left({{}, o}, {{}, o}) / out, 1, 0.2) << format->name;
    EXPECT_NEAR(left({h, o}, {h, o}) / (in * out), 1, 0.3) << format->name;
    EXPECT_LT(left({h, o}, {h, o}), 0.95 * left({h, o}, {h})) << format->name;
  }
}

// Outputs of very different weight: feedback to those of little weight is larger than the weights.
TEST(CalibratedEncode, ScalesHaveRoomForFeedback) {
  const int64_t rows = 64, cols = 64;
  const Tensor x = normal({rows, cols}, 5);
  std::vector<float> sizes;
  for (int64_t i = 0; i < rows; ++i) sizes.push_back(i % 3 == 0 ? 10 : 0.2F);
  const Tensor by = tensor<float>(sizes, {rows, 1}),
               o = correlated(rows, 1, 2) * by * reshape(by, {1, rows});
  const CalibrationSides sides{{}, o};
  const RingFormat& d2 = ring_format("D2");
  const double plain = calibrated_error(x, packed_encode(x, d2), sides),
               found = calibrated_error(x, packed_encode_calibrated(x, d2, sides), sides);
  EXPECT_LT(found, 1.2 * BlockFactor(o, kTileOutputs, 0.1).remainder() * plain);
}

// As the embeddings of tokens that a text hardly has: their errors cost next to nothing, but scales
// that fit those errors alone would be far from the weights.
TEST(CalibratedEncode, OutputsOfNoWeightKeepTheirScales) {
  const int64_t rows = 64, cols = 64, used = 48;
  const Tensor x = normal({rows, cols}, 5);
  std::vector<float> sizes;
  for (int64_t i = 0; i < rows; ++i) sizes.push_back(i < used ? 1 : 1e-4F);
  const Tensor by = tensor<float>(sizes, {rows, 1}),
               o = correlated(rows, 1, 2) * by * reshape(by, {1, rows});
  const auto unused = [&](const Tensor& w) { return slice(w, {0, used, rows, 1}); };
  for (const RingFormat* format : fewer_of(formats())) {
    const Tensor w = packed_encode_calibrated(x, *format, {correlated(cols, 1, 1), o}),
                 plain = packed_encode(x, *format);
    EXPECT_LT(distance(unused(packed_decode(w)), unused(x)),
              2 * distance(unused(packed_decode(plain)), unused(x)))
        << format->name;
  }
}

TEST(CalibratedEncode, ZerosStay) {
  const Tensor x = normal({16, 64}, 5), zeros = x * Tensor(0.0);
  const CalibrationSides sides{correlated(64, 1, 1), correlated(16, 1, 2)};
  const Tensor w = packed_encode_calibrated(zeros, ring_format("D2"), sides);
  EXPECT_EQ(to_vector<float>(packed_decode(w)), to_vector<float>(zeros));
}

TEST(CalibratedEncode, TheSameWordsOnEveryInstructionSetAndNumberOfThreads) {
  const Tensor x = normal({50, 300}, 5);
  const Tensor h = correlated(300, 1, 1), o = correlated(50, 1, 2);
  for (const CalibrationSides& sides : {CalibrationSides{h}, CalibrationSides{h, o}}) {
    const std::string bytes = bytes_of(packed_encode_calibrated(x, ring_format("D2"), sides));
    const Isa before = isa();
    for (Isa level : {v2, v3, v4}) {
      if (level > cpu_features().best) continue;
      set_isa(level);
      for (int threads : {1, 2, 7}) {
        set_num_threads(threads);
        EXPECT_EQ(bytes_of(packed_encode_calibrated(x, ring_format("D2"), sides)), bytes)
            << level << " " << threads;
      }
    }
    set_isa(before);
    set_num_threads(0);
  }
}

TEST(CalibratedEncode, Refuses) {
  const Tensor x = normal({20, 40}, 5), h = correlated(40, 1, 1), o = correlated(20, 1, 2);
  const RingFormat& d4 = ring_format("D4");
  const auto code = [&](const Tensor& w, const CalibrationSides& sides, int seed = 1) {
    return code_of([&] { packed_encode_calibrated(w, d4, sides, seed); });
  };
  EXPECT_EQ(code(x, {o}), Code::shape);
  EXPECT_EQ(code(x, {h, h}), Code::shape);
  EXPECT_EQ(code(x, {h}, -1), Code::value);
  EXPECT_EQ(code(x * Tensor(1e30), {h}), Code::numeric);
  EXPECT_EQ(code(x / Tensor(0.0), {h}), Code::numeric);
  EXPECT_EQ(code(x, {h * Tensor(-1.0)}), Code::numeric);
  EXPECT_EQ(code(x, {h * Tensor(NAN)}), Code::numeric);
  EXPECT_EQ(code(to(x, DType::i32), {h}), Code::dtype);
  EXPECT_EQ(code_of([&] { calibrated_error(x, packed_encode(x, d4), {o}); }), Code::shape);
}

}  // namespace
}  // namespace gyre
