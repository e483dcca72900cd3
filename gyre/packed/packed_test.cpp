#include "gyre/packed/packed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/linalg/linear_act.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/test_packed.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// Shapes that are no multiple of a tile, a group or a vector.
const Shape kPackedShapes[] = {{1, 1},    {16, 2},  {33, 70},   {16, 256},
                               {17, 257}, {5, 600}, {40, 3, 29}};

TEST(Packed, DecodesToTheNumbersOfStatesTimesTheScale) {
  for (const RingFormat& format : ring_formats()) {
    for (const Shape& shape : kPackedShapes) {
      const Tensor w = packed_encode(normal(shape, 1), format, 0);  // numbers as they are
      const PackedStorage& s = packed_storage(w);
      const PackedLayout& l = s.layout;
      const auto values = ring_values(format);
      std::vector<float> wanted(static_cast<size_t>(w.numel()));
      for (int64_t t = 0; t < l.row_tiles(); ++t) {
        for (int64_t k = 0; k < l.groups(); ++k) {
          const PackedLayout::Group g = l.group(t, k);
          const Packed128 header = s.headers()[static_cast<size_t>(g.header)];
          const float scale = packed_scale(header);
          const double angle = packed_angle(header);
          const auto cos = static_cast<float>(std::cos(angle)),
                     sin = static_cast<float>(std::sin(angle));
          const Packed128 factors = s.headers()[static_cast<size_t>(g.row_header)];
          for (int64_t i = 0; i < g.tiles * format.tile_words; ++i) {
            const auto word = s.words()[static_cast<size_t>(g.word + i)];
            for (int step = 0; step < format.steps; ++step) {
              const auto [output, input] = l.place(static_cast<int>(i % format.tile_words), step);
              const int64_t row = g.row + output,
                            col = g.col + i / format.tile_words * format.tile_inputs + input;
              if (row >= l.rows || col >= l.cols) continue;
              const auto number = [&](int layer) {
                return values[static_cast<size_t>(ring_state(format, word, layer, step))];
              };
              const float both = format.layers == 1 ? number(0) : cos * number(0) + sin * number(1);
              wanted[static_cast<size_t>(row * l.cols + col)] =
                  scale * row_factor(factors, output) * both;
            }
          }
        }
      }
      const auto found = to_vector<float>(packed_decode(w));
      for (size_t i = 0; i < found.size(); ++i) {
        // numbers of two layers are rounded in another order
        const float off = format.layers == 1 ? 0 : 1e-6F;
        EXPECT_NEAR(found[i], wanted[i], off) << format.name << to_string(shape);
      }
    }
  }
}

TEST(Packed, IsAsNearAsItsRings) {
  const Tensor x = normal({64, 512}, 2) * Tensor(0.02);
  const double most[] = {0.0755, 0.1423, 0.274, 0.54, 0.0792, 0.288};
  for (size_t i = 0; i < ring_formats().size(); ++i) {
    EXPECT_LT(distance(packed_decode(packed_encode(x, ring_formats()[i])), x), most[i]);
  }
}

// Student's t distribution of four degrees of freedom has no fourth moment.
TEST(Packed, StudentWeightsCostWhatNormalOnesDo) {
  const Shape shape{256, 1024};  // of draws of 64 rows one of 16 is above the bound
  Tensor squares = zeros(shape);
  for (uint64_t i = 1; i <= 4; ++i) squares = squares + pow(normal(shape, i), Tensor(2.0));
  const Tensor x = normal(shape, 5) / sqrt(squares / Tensor(4.0));
  const RingFormat& d4 = ring_format("D4");
  EXPECT_LE(distance(packed_decode(packed_encode(x, d4)), x), 0.075);
  EXPECT_GT(distance(packed_decode(packed_encode(x, d4, 0)), x), 0.1);  // without Hadamard
}

// Rows and columns of other sizes, and heavy tails, cost little.
TEST(Packed, ErrorsDoNotDependOnTheSizesOfRowsAndColumns) {
  const Tensor x = normal({64, 256}, 2), rows = exp(normal({64, 1}, 3)),
               cols = exp(normal({1, 256}, 4)), tails = pow(x, Tensor(3.0));
  const RingFormat& d4 = ring_format("D4");
  for (const Tensor& w : {x * rows, x * cols, x * rows * cols, tails}) {
    EXPECT_LT(distance(packed_decode(packed_encode(w * Tensor(0.02), d4)), w * Tensor(0.02)),
              0.081);
  }
  EXPECT_GT(
      distance(packed_decode(packed_encode(tails * Tensor(0.02), d4, 0)), tails * Tensor(0.02)),
      0.15)
      << "without the Hadamard matrix";
}

TEST(Packed, RowHeadersHoldFactors) {
  double sizes[kTileOutputs] = {};
  for (int o = 0; o < kTileOutputs; ++o) sizes[o] = std::exp2(-o * 0.375);
  sizes[5] = 0;
  sizes[7] = 1e-30;
  const Packed128 header = row_header(sizes);
  for (int o = 0; o < kTileOutputs; ++o) {
    const double wanted = o == 5 ? 0 : o == 7 ? std::exp2(-254 / 16.0) : sizes[o];
    EXPECT_FLOAT_EQ(row_factor(header, o), static_cast<float>(wanted)) << o;
  }
}

TEST(Packed, EncodesTheSameOnEveryInstructionSetAndNumberOfThreads) {
  const Tensor x = normal({40, 300}, 3);
  for (const RingFormat& format : ring_formats()) {
    const Tensor w = packed_encode(x, format);
    const std::string bytes = bytes_of(w);
    const auto decoded = to_vector<float>(packed_decode(w));
    const Isa before = isa();
    for (Isa level : {v2, v3, v4}) {
      if (level > cpu_features().best) continue;
      set_isa(level);
      for (int threads : {1, 2, 7}) {
        set_num_threads(threads);
        EXPECT_EQ(bytes_of(packed_encode(x, format)), bytes);
        EXPECT_EQ(to_vector<float>(packed_decode(w)), decoded);
      }
    }
    set_isa(before);
    set_num_threads(0);
  }
}

void expect_products_of_decoded_weights() {
  for (const RingFormat& format : ring_formats()) {
    // the last ones have blocks that begin inside a tile or a group
    for (const Shape& shape :
         {Shape{1, 1}, Shape{33, 70}, Shape{17, 257}, Shape{70, 620}, Shape{620, 70}}) {
      const Tensor w = packed_encode(normal(shape, 4), format);
      const Tensor dense = to(packed_decode(w), DType::f64);
      for (int64_t rows : {1, 2, 7, 19, 70}) {
        const Tensor x = normal({rows, shape[1]}, 5), g = normal({rows, shape[0]}, 6);
        EXPECT_LT(distance(linear(x, w), linear(to(x, DType::f64), dense)), 1e-6)
            << format.name << to_string(shape) << rows;
        EXPECT_LT(distance(matmul(g, w), matmul(to(g, DType::f64), dense)), 1e-6)
            << format.name << to_string(shape) << rows;
      }
    }
  }
}

TEST(Packed, ProductsAreThoseOfDecodedWeights) {
  const Isa before = isa();
  for (Isa level : {v2, v3, v4}) {
    if (level > cpu_features().best) continue;
    set_isa(level);
    expect_products_of_decoded_weights();
  }
  set_isa(before);
}

TEST(Packed, ProductsHaveTheSameBitsOnAnyNumberOfThreads) {
  const Tensor w = packed_encode(normal({300, 400}, 4), ring_format("D4"));
  for (int64_t rows : {1, 5, 70}) {
    const Tensor x = normal({rows, 400}, 5), g = normal({rows, 300}, 6);
    const auto y = to_vector<float>(linear(x, w)), z = to_vector<float>(matmul(g, w));
    for (int threads : {1, 2, 7}) {
      set_num_threads(threads);
      EXPECT_EQ(to_vector<float>(linear(x, w)), y);
      EXPECT_EQ(to_vector<float>(matmul(g, w)), z);
    }
    set_num_threads(0);
  }
}

TEST(Packed, ServesAsTheWeightOfLayers) {
  const Tensor w = packed_encode(normal({48, 40}, 7), ring_format("D3")), dense = packed_decode(w);
  const Tensor x = normal({2, 3, 40}, 8), bias = normal({48}, 9);
  EXPECT_LT(distance(linear(x, w, bias), linear(x, dense, bias)), 1e-6);
  EXPECT_LT(distance(linear_act(x, w, bias, LinearActivation::gelu),
                     linear_act(x, dense, bias, LinearActivation::gelu)),
            1e-6);
  const Tensor ids = tensor<int64_t>({3, 0, 47, 3}, {2, 2});
  EXPECT_EQ(to_vector<float>(embedding(w, ids)), to_vector<float>(embedding(dense, ids)));
  EXPECT_EQ(to_vector<float>(slice(w, {0, 5, 40, 3})),
            to_vector<float>(slice(dense, {0, 5, 40, 3})));
  EXPECT_EQ(to_vector<float>(select(w, {0, -3})), to_vector<float>(select(dense, {0, -3})));
  EXPECT_EQ(bytes_of(clone(w)), bytes_of(w));
  EXPECT_EQ(code_of([&] { embedding(w, tensor<int64_t>({48}, {1})); }), Code::index);
  const Tensor half = linear(to(x, DType::bf16), w);
  EXPECT_EQ(half.dtype(), DType::bf16);
}

TEST(Packed, GivesTheGradientOfTheOtherOperand) {
  const Tensor w = packed_encode(normal({48, 40}, 7), ring_format("D2")), dense = packed_decode(w);
  Tensor x = normal({5, 40}, 8), again = x.detach();
  const Tensor y = normal({5, 48}, 9);
  x.set_requires_grad();
  again.set_requires_grad();
  sum(linear(x, w) * y).backward();
  sum(linear(again, dense) * y).backward();
  EXPECT_LT(distance(x.grad(), again.grad()), 1e-6);
}

TEST(Packed, RefusesWhatItCannotHold) {
  const RingFormat& d4 = ring_format("D4");
  Tensor x = ones({20, 30});
  x.data<float>()[41] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(contains(message_of(Code::numeric, [&] { packed_encode(x, d4); }), "element 41"));
  EXPECT_EQ(code_of([&] { packed_encode(ones({20, 30}) * Tensor(100.0), d4); }), Code::numeric);
  EXPECT_EQ(code_of([&] { packed_encode(ones({20}), d4); }), Code::shape);
  EXPECT_EQ(code_of([&] { packed_encode(ones({4, 4}), d4, 2048); }), Code::value);
  EXPECT_EQ(code_of([&] { packed_encode(ones({0, 4}), d4); }), Code::shape);
  EXPECT_EQ(code_of([&] { packed_encode(ones({4, 4}, {.dtype = DType::i64}), d4); }), Code::dtype);
  constexpr int64_t kHuge = int64_t{1} << 40;
  EXPECT_EQ(code_of([&] { packed_layout(d4, {kHuge, kHuge}, "test"); }), Code::shape);
  EXPECT_TRUE(contains(message_of(Code::value, [] { ring_format("D7"); }), "D4, D3"));
  const Tensor w = packed_encode(normal({20, 30}, 1), d4);
  EXPECT_TRUE(contains(message_of(Code::unsupported, [&] { exp(w); }), "packed_decode"));
  EXPECT_EQ(code_of([&] { linear(w, w); }), Code::unsupported);
  EXPECT_EQ(code_of([&] { linear(ones({2, 30}), w, ones({1})); }), Code::shape);
  EXPECT_EQ(code_of([&] { linear(ones({2, 30}), w, ones({7, 2, 20})); }), Code::shape);
  EXPECT_EQ(code_of([&] { slice(w, {1, 0, 2, 1}); }), Code::unsupported);
  EXPECT_EQ(code_of([&] { select(w, {1, 0}); }), Code::unsupported);
  EXPECT_EQ(code_of([&] { linear(ones({2, 31}), w); }), Code::shape);
  EXPECT_EQ(code_of([&] { packed_decode(x); }), Code::unsupported);
  EXPECT_EQ(code_of([&] { packed_matmul(x, x); }), Code::unsupported);
  EXPECT_EQ(code_of([&] { linear(x, packed_encode(normal({4, 5, 6}, 1), d4)); }), Code::shape);
}

TEST(Packed, ZerosStayZero) {
  const Tensor w = packed_encode(zeros({20, 300}), ring_format("D4"));
  EXPECT_EQ(to_vector<float>(packed_decode(w)), std::vector<float>(6000, 0.0F));
  for (const RingFormat& format : ring_formats()) {
    Tensor x = normal({20, 300}, 1);
    std::fill_n(x.data<float>() + 900, 300, 0.0F);
    const Tensor row = slice(packed_decode(packed_encode(x, format)), {0, 3, 4, 1});
    EXPECT_EQ(to_vector<float>(row), std::vector<float>(300, 0.0F)) << format.name;
  }
}

TEST(Packed, RefusesRowsWhoseSizeOverflows) {
  for (int64_t row : {0, 5}) {
    Tensor x = normal({16, 256}, 1);
    std::fill_n(x.data<float>() + 256 * row, 256, 3e38F);
    EXPECT_TRUE(contains(message_of(Code::numeric, [&] { packed_encode(x, ring_format("D4")); }),
                         "too large"));
  }
}

TEST(Packed, ProductsOfNoRowsHaveNone) {
  const Tensor w = packed_encode(normal({48, 40}, 7), ring_format("D4"));
  EXPECT_EQ(linear(zeros({0, 40}), w).shape(), (Shape{0, 48}));
  EXPECT_EQ(matmul(zeros({0, 48}), w).shape(), (Shape{0, 40}));
}

}  // namespace
}  // namespace gyre
