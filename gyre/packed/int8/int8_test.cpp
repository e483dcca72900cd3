#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/op/node.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/gradient/factored.h"
#include "gyre/packed/int8/int8_activations.h"
#include "gyre/packed/int8/int8_tiles.h"
#include "gyre/packed/test_packed.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// Outputs that are no multiple of a block or tile, inputs of several groups or no whole quad.
struct Sizes {
  int64_t rows, cols;
};
constexpr Sizes kSizes[] = {{1, 2}, {16, 64}, {70, 256}, {33, 515}, {130, 601}};

TEST(Int8, IsNearTheExactProduct) {
  NoGrad off;
  for (const RingFormat& format : ring_formats()) {
    for (const auto& [rows, cols] : kSizes) {
      const Tensor w = packed_encode(normal({rows, cols}, 1), format);
      for (int64_t n : {1, 2, 3, 7, 20}) {
        const Tensor x = normal({n, cols}, 2) * Tensor(3.0);
        const Tensor y = packed_matmul_int8(x, w);
        EXPECT_EQ(y.shape(), (Shape{n, rows}));
        const double bound = rows * cols < 100    ? 0.06
                             : n == 1             ? 0.0095
                             : format.layers == 2 ? 0.02
                                                  : 0.015;
        EXPECT_LT(distance(y, packed_matmul(x, w)), bound)
            << format.name << " " << rows << " x " << cols << ", " << n;
      }
    }
  }
}

TEST(Int8, HasTheSameBitsEverywhere) {
  NoGrad off;
  for (const RingFormat& format : ring_formats()) {
    const Tensor w = packed_encode(normal({130, 601}, 1), format);
    for (int64_t n : {1, 2, 20}) {
      const Tensor x = normal({n, 601}, 2);
      const auto wanted = to_vector<float>(packed_matmul_int8(x, w));
      const Isa before = isa();
      for (Isa level : {v2, v3, v4}) {
        if (level > cpu_features().best) continue;
        set_isa(level);
        for (int threads : {1, 2, 7}) {
          set_num_threads(threads);
          EXPECT_EQ(to_vector<float>(packed_matmul_int8(x, w)), wanted) << format.name << n;
        }
      }
      set_isa(before);
      set_num_threads(0);
    }
  }
}

// All ways to multiply bytes that the CPU has, on the instruction sets that have several.
TEST(Int8, HasTheSameBitsWithoutDotProducts) {
  const Isa before = isa();
  for (Isa level : {v3, v4}) {
    if (level > cpu_features().best) continue;
    set_isa(level);
    if (byte_products() == ByteProducts::none) continue;
    for (const RingFormat& format : ring_formats()) {
      const Tensor w = packed_encode(normal({64, 252}, 1), format);
      const PackedLayout& l = packed_storage(w).layout;
      const Packed128* words = packed_storage(w).words().data();
      const PackedCode code = packed_code(format);
      const int64_t tiles = l.group(0, 0).tiles, inputs = tiles * format.tile_inputs;
      std::vector<uint32_t> x(static_cast<size_t>(tiles * (format.tile_inputs + 1) / 2 + tiles));
      const auto byte = [](size_t i) {
        return static_cast<uint8_t>(static_cast<int>(i % 255) - 127);
      };
      for (size_t i = 0; i < x.size(); ++i)
        x[i] = byte(i * 37) * 0x0101U | byte(i * 61) * 0x01010000U;
      const ByteNumbers numbers{.cos = 3000, .sin = -1000, .offset = 1020000, .unit = 1, .zero = 2};
      std::vector<int8_t> rows(7 * 256);
      for (size_t i = 0; i < rows.size(); ++i)
        rows[i] = static_cast<int8_t>(static_cast<int>(i * 41 % 255) - 127);
      const std::vector<float> units(64, 0.5F), zeros(64, 3);
      const std::vector<int32_t> sums(7, 11);
      const auto results = [&](ByteProducts with) {
        std::vector<int32_t> row(32);
        std::vector<uint8_t> bytes(256 * kBlockOutputs);
        std::vector<float> y(7 * 64);
        int8_tiles().add_row(code, with, words, tiles, x.data(), row.data());
        int8_tiles().decode(code, numbers, with, words, tiles, bytes.data());
        int8_tiles().multiply({.x = rows.data(),
                               .weights = bytes.data(),
                               .rows = 7,
                               .x_row = 256,
                               .quads = inputs / 4,
                               .x_units = units.data(),
                               .x_sums = sums.data(),
                               .x_units_row = 1,
                               .units = units.data(),
                               .zeros = zeros.data(),
                               .y = y.data(),
                               .y_row = 64,
                               .outputs = 61},
                              with);
        return std::tuple(row, bytes, y);
      };
      const auto wanted = results(ByteProducts::none);
      EXPECT_EQ(results(ByteProducts::vnni), wanted) << format.name << level;
      EXPECT_EQ(results(byte_products()), wanted) << format.name << level;
    }
  }
  set_isa(before);
}

TEST(Int8, TakesAnglesInAnyDirection) {
  NoGrad off;
  const RingFormat& format = ring_format("T4");
  const Tensor w = packed_encode(normal({64, 256}, 1), format), x = normal({5, 256}, 2);
  const PackedStorage& storage = packed_storage(w);
  for (double angle : {-3.0, -1.0, 0.0, 1.6, 2.7}) {
    for (int64_t t = 0; t < storage.layout.row_tiles(); ++t) {
      Packed128& header = storage.headers()[static_cast<size_t>(storage.layout.group(t, 0).header)];
      header = packed_header(format, packed_seed(header), 0.5, angle, "test");
    }
    EXPECT_LT(distance(packed_matmul_int8(x, w), packed_matmul(x, w)), 0.02) << angle;
  }
}

TEST(Int8, GivesNaNForRowsThatAreNotFinite) {
  NoGrad off;
  const Tensor w = packed_encode(normal({20, 64}, 1), ring_format("D4"));
  for (float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    Tensor x = normal({3, 64}, 2);
    x.data<float>()[70] = bad;
    const auto y = to_vector<float>(packed_matmul_int8(x, w));
    for (size_t i = 0; i < y.size(); ++i) EXPECT_EQ(std::isnan(y[i]), i / 20 == 1) << i;
  }
  Tensor alone = normal({1, 64}, 2);
  alone.data<float>()[3] = std::nanf("");
  for (float y : to_vector<float>(packed_matmul_int8(alone, w))) EXPECT_TRUE(std::isnan(y));
  for (const double size : {0.0, 1e-38}) {
    const Tensor none = normal({2, 64}, 2) * Tensor(size);
    for (float y : to_vector<float>(packed_matmul_int8(none, w))) EXPECT_EQ(y, 0.0F);
  }
}

TEST(Int8, TheScopeChangesLinearLayersThatAreNotRecorded) {
  const Tensor w = packed_leaf(1.0, {20, 64}, ring_format("D4"), 1), x = normal({3, 64}, 2);
  const auto values = [&] { return to_vector<float>(linear(x, w)); };
  const auto exact = values();
  const Int8Activations scope;
  EXPECT_EQ(values(), exact);  // recorded
  NoGrad off;
  EXPECT_NE(values(), exact);
  EXPECT_EQ(values(), to_vector<float>(packed_matmul_int8(x, w)));
  const Int8Activations inner(false);
  EXPECT_EQ(values(), exact);
}

TEST(Int8, OnlyProductsOfPackedWeightsTakeIt) {
  const Tensor plain = normal({20, 64}, 1), packed = packed_encode(plain, ring_format("D4")),
               x = normal({3, 64}, 2), rows = tensor<int64_t>({1, 2}, {2});
  EXPECT_TRUE(takes_int8([&] { (void)linear(x, packed); }));
  EXPECT_FALSE(takes_int8([&] { (void)linear(x, plain); }));
  EXPECT_FALSE(takes_int8([&] { (void)packed_rows(packed, rows); }));
  EXPECT_FALSE(int8_activations()) << "as before";
}

}  // namespace
}  // namespace gyre
