#include "gyre/packed/codec/codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "gyre/autograd/backward.h"
#include "gyre/base/cpu.h"
#include "gyre/base/half.h"
#include "gyre/base/thread_pool.h"
#include "gyre/nn/linear.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/compress/compress.h"
#include "gyre/packed/gradient/word_gradient.h"
#include "gyre/packed/int8/int8_activations.h"
#include "gyre/packed/test_packed.h"
#include "gyre/packed/training/hybrid.h"
#include "tests/fewer.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

std::vector<const Codec*> matrix_codecs() {
  std::vector<const Codec*> found;
  for (const char* name : kPackedFormatNames) {
    if (!codec(name).has_rings) found.push_back(&codec(name));
  }
  return found;
}

const Shape kShapes[] = {{1, 1}, {16, 64}, {33, 70}, {17, 257}, {130, 5}, {6, 3, 29}};

std::span<std::byte> bytes_in(const Tensor& w) {
  return std::as_writable_bytes(packed_storage(w).words());
}

TEST(Codec, EveryFormatIsFoundByItsName) {
  for (size_t i = 0; i < std::size(kPackedFormatNames); ++i) {
    const Codec& found = codec(kPackedFormatNames[i]);
    EXPECT_EQ(found.name, std::string(kPackedFormatNames[i]));
    EXPECT_EQ(static_cast<size_t>(found.format), i);
    EXPECT_EQ(&codec(found.format), &found);
    EXPECT_EQ(found.has_rings, i < ring_formats().size());
  }
  EXPECT_EQ(find_codec("q9"), nullptr);
  EXPECT_TRUE(contains(message_of(Code::value, [] { codec("q9"); }), "D4, D3"));
  EXPECT_TRUE(contains(message_of(Code::value, [] { ring_format("nf4"); }), "has no rings"));
}

TEST(Codec, ErrorsOfIndependentNormalNumbersAreThoseOfTheTable) {
  const Tensor x = normal({kSanitized ? 128 : 256, 1024}, 3);
  for (const Codec* c : matrix_codecs()) {
    const double error = distance(packed_decode(packed_encode(x, *c)), x);
    if (c->error < 1) {
      EXPECT_NEAR(error, c->error, 0.02 * c->error) << c->name;
    } else {
      EXPECT_LE(error, 1) << c->name;
      EXPECT_GT(error, 0.7) << c->name;
    }
  }
}

TEST(Codec, BytesAWeightAreThoseOfTheFormat) {
  const std::pair<const char*, double> wanted[] = {{"q8_0", 8.5}, {"q4_0", 4.5}, {"nf4", 4.25}};
  for (const auto& [name, bits] : wanted) {
    const PackedLayout l{&codec(name), 64, 128};
    EXPECT_EQ(static_cast<double>(l.words()) * 128, bits * 64 * 128) << name;
    EXPECT_EQ(l.headers(), 2);
  }
  EXPECT_LE(static_cast<double>(PackedLayout{&codec("low_rank"), 64, 128}.words()) * 128,
            4.0 * 64 * 128);
}

// Blocks as GGUF has them: a scale in f16, then numbers; of 4 bits the first half is the low ones.
// tests/python/packed has those of its own program.
TEST(Codec, BlocksOfGguf) {
  std::vector<float> x(32, 0.0F);
  x[0] = -8;
  x[1] = 1;
  x[2] = 7;
  x[16] = 3;
  x[31] = -2;
  const auto block = [&](const char* format) {
    const Tensor w = packed_encode(tensor(x, {1, 32}), codec(format));
    const auto bytes = bytes_in(w);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  const auto q4 = block("q4_0");
  const auto scale_of = [](const std::vector<std::byte>& b) {
    return to_float(
        f16{static_cast<uint16_t>(static_cast<int>(b[0]) | static_cast<int>(b[1]) << 8)});
  };
  EXPECT_EQ(scale_of(q4), 1);
  EXPECT_EQ(static_cast<int>(q4[2]), 0 | (3 + 8) << 4);  // x[0], x[16]
  EXPECT_EQ(static_cast<int>(q4[3]), 9 | 8 << 4);
  EXPECT_EQ(static_cast<int>(q4[4]), 15 | 8 << 4);
  EXPECT_EQ(static_cast<int>(q4[17]), 8 | 6 << 4);
  const auto q8 = block("q8_0");
  EXPECT_NEAR(scale_of(q8), 8.0 / 127, 1e-4);
  EXPECT_EQ(static_cast<int8_t>(q8[2]), -127);
  EXPECT_EQ(static_cast<int8_t>(q8[3]), 16);
  EXPECT_EQ(static_cast<int8_t>(q8[2 + 16]), 48);
}

TEST(Codec, LevelsOfNf4AreExact) {
  std::vector<float> x(64, 0.0F);
  x[0] = -2;
  x[1] = 2 * 0.7229568362236023F;
  x[2] = 2 * -0.09105003625154495F;
  const Tensor w = packed_encode(tensor(x, {1, 64}), codec("nf4"));
  EXPECT_EQ(to_vector<float>(packed_decode(w)), x);
}

TEST(Codec, OpsAnswerAsTheDecodedWeights) {
  for (const Codec* c : matrix_codecs()) {
    for (const Shape& shape : kShapes) {
      const Tensor w = packed_encode(normal(shape, 1), *c), dense = packed_decode(w);
      EXPECT_EQ(dense.shape(), shape);
      const int64_t rows = shape[0];
      const Tensor at = tensor<int64_t>(std::vector<int64_t>{rows - 1, 0, rows / 2}, {3});
      EXPECT_EQ(to_vector<float>(packed_rows(w, at)), to_vector<float>(index_select(dense, 0, at)))
          << c->name;
      if (shape.rank > 2) continue;
      for (const DType dtype : {DType::f32, DType::f64}) {
        const double near = dtype == DType::f64 ? 1e-14 : 1e-6;
        for (const int64_t n : {1, 5}) {
          const Tensor x = to(normal({n, shape[1]}, 2), dtype), y = to(normal({n, rows}, 3), dtype);
          const Tensor wide = to(dense, dtype);
          EXPECT_LT(distance(packed_matmul(x, w), matmul(x, transpose(wide, 0, 1))), near)
              << c->name;
          EXPECT_LT(distance(packed_matmul(y, w, false), matmul(y, wide)), near) << c->name;
        }
      }
    }
  }
}

TEST(Codec, WordsAndNumbersAreTheSameOnEveryInstructionSetAndNumberOfThreads) {
  const Tensor x = normal({70, 131}, 5);
  const Isa before = isa();
  for (const Codec* c : matrix_codecs()) {
    const Tensor fixed = packed_encode(x, *c);
    std::string words;
    std::vector<float> numbers;
    const std::vector<float> decoded = to_vector<float>(packed_decode(fixed));
    for (Isa level : {v2, v3, v4}) {
      if (level > cpu_features().best) continue;
      set_isa(level);
      EXPECT_EQ(to_vector<float>(packed_decode(fixed)), decoded) << c->name << level;
      if (c->format == PackedFormat::low_rank) continue;  // its products depend on the level
      EXPECT_EQ(bytes_of(packed_encode(x, *c)), bytes_of(fixed)) << c->name << level;
    }
    set_isa(before);
    for (const int threads : {1, 2, 7}) {
      set_num_threads(threads);
      const Tensor w = packed_encode(x, *c);
      if (words.empty()) words = bytes_of(w), numbers = to_vector<float>(packed_decode(w));
      EXPECT_EQ(bytes_of(w), words) << c->name << threads;
      EXPECT_EQ(to_vector<float>(packed_decode(w)), numbers) << c->name << threads;
    }
  }
  set_num_threads(0);
}

TEST(Codec, ZerosStayZerosAndTinyWeightsAreFinite) {
  for (const Codec* c : matrix_codecs()) {
    const Tensor none = packed_decode(packed_encode(zeros({20, 70}), *c));
    EXPECT_EQ(sum(abs(none)).item(), 0) << c->name;
    for (const double size : {1e-20, 1e-35, 1e-38, 1e-44}) {
      const Tensor x = normal({20, 70}, 1) * Tensor(size);
      const Tensor found = packed_decode(packed_encode(x, *c));
      EXPECT_LE(max(abs(found)).item(), 4 * max(abs(x)).item()) << c->name << size;
      if (c->format == PackedFormat::int8 && size > 1e-36) {
        EXPECT_LT(distance(found, x), 0.01);
      }
    }
  }
}

TEST(Codec, LargeWeightsAreKeptOrRefused) {
  for (const Codec* c : matrix_codecs()) {
    const Tensor kept = packed_encode(normal({20, 70}, 1), *c);
    const std::string before = bytes_of(kept);
    for (const double size : {1e5, 1e37, 3.4e38}) {
      const Tensor x = clamp(normal({20, 70}, 1) * Tensor(size), -3.4e38, 3.4e38);
      try {
        packed_encode_into(x, kept);
        // what is written can be read
        packed_of_parts(*c, x.shape(), packed_words(kept), packed_headers(kept), "w");
        EXPECT_LE(distance(packed_decode(kept), x), 1) << c->name;
        packed_encode_into(normal({20, 70}, 1), kept);
      } catch (const Error& error) {
        EXPECT_EQ(error.code, Code::numeric) << c->name;
        EXPECT_TRUE(contains(error.what(), "too large")) << c->name;
      }
      EXPECT_EQ(bytes_of(kept), before) << c->name << size;
    }
    const Tensor bad = full({20, 70}, NAN);
    EXPECT_EQ(code_of([&] { packed_encode(bad, *c); }), Code::numeric) << c->name;
  }
}

TEST(Codec, MatricesOfLowRankAndSmoothTablesAreNearlyExact) {
  const Tensor outer = matmul(normal({90, 2}, 1), normal({2, 70}, 2));
  EXPECT_LT(distance(packed_decode(packed_encode(outer, codec("low_rank"))), outer), 1e-3);
  std::vector<float> table;
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < 64; ++j) {
      const double x = 2.0 * j / 63 - 1, y = 2.0 * i / 63 - 1,
                   rho = std::min(std::hypot(x, y), 1.0), psi = std::atan2(y, x);
      table.push_back(static_cast<float>(0.3 * std::sin(5.3 * rho + 2 * psi + 0.4) +
                                         0.1 * std::cos(2.2 * rho) -
                                         0.05 * std::tanh(3 * rho + 0.2)));
    }
  }
  const Tensor smooth = tensor(table, {64, 64});
  EXPECT_LT(distance(packed_decode(packed_encode(smooth, codec("F"))), smooth), 0.01);
  EXPECT_EQ(packed_storage(packed_encode(smooth, codec("F"))).layout.words(), 4);
}

TEST(Codec, DamagedBytesAreRefused) {
  const float bad = std::numeric_limits<float>::quiet_NaN();
  for (const Codec* c : matrix_codecs()) {
    const Tensor w = packed_encode(normal({20, 70}, 1), *c);
    const Tensor words = clone(packed_words(w)), headers = clone(packed_headers(w));
    const auto made = [&] { packed_of_parts(*c, w.shape(), words, headers, "w"); };
    EXPECT_NO_THROW(made()) << c->name;
    const auto bytes = std::as_writable_bytes(
        std::span(words.data<int64_t>(), static_cast<size_t>(words.numel())));
    // any number of a codec that lies at the beginning: a scale, a vector, a factor, an atom
    std::memcpy(bytes.data(), &bad, sizeof bad);
    if (c->format == PackedFormat::q8_0 || c->format == PackedFormat::q4_0 ||
        c->format == PackedFormat::nf4 || c->format == PackedFormat::low_rank) {
      const uint16_t half = 0x7e00;
      std::memcpy(bytes.data(), &half, sizeof half);
    } else if (c->format == PackedFormat::F) {
      std::fill_n(bytes.begin(), 16, std::byte{0});
    }
    EXPECT_EQ(code_of(made), Code::parse) << c->name;
    std::ranges::copy(std::as_bytes(packed_storage(w).words()), bytes.begin());
    EXPECT_NO_THROW(made()) << c->name;
    headers.data<int64_t>()[2] = 0;
    EXPECT_TRUE(contains(message_of(Code::parse, made), "headers")) << c->name;
  }
  const Tensor w = packed_encode(normal({3, 5}, 1), codec("int8"));  // 27 bytes
  const Tensor words = clone(packed_words(w));
  words.data<int64_t>()[3] |= int64_t{1} << 60;
  EXPECT_EQ(code_of([&] {
              packed_of_parts(codec("int8"), {3, 5}, words, packed_headers(w), "w");
            }),
            Code::parse);
}

TEST(Codec, OtherVectorsAndScalesThatAreNotFiniteAreRefused) {
  const Tensor w = packed_encode(normal({20, 70}, 1), codec("vq"));
  const Tensor words = clone(packed_words(w));
  const auto floats = std::span(reinterpret_cast<float*>(words.data<int64_t>()), 1024 + 20);
  floats[1024 + 7] = 3e38F;
  floats[5] = 1e9F;
  EXPECT_EQ(
      code_of([&] { packed_of_parts(codec("vq"), w.shape(), words, packed_headers(w), "w"); }),
      Code::parse);
}

TEST(Codec, OnlyFormatsOfRingsAreTrained) {
  for (const Codec* c : matrix_codecs()) {
    Tensor w = packed_encode(normal({20, 70}, 1), *c);
    w.set_requires_grad();
    EXPECT_TRUE(contains(
        message_of(Code::unsupported, [&] { HybridOptimizer(std::vector{w}, HybridOptions{}); }),
        "have no rings"));
    EXPECT_EQ(code_of([&] { rbe_gradient(w, ones({20, 70})); }), Code::unsupported) << c->name;
    // what is multiplied by them has a gradient
    Tensor x = normal({3, 70}, 2);
    x.set_requires_grad();
    const Tensor loss = sum(packed_matmul(x, w.detach()));
    backward({&loss, 1});
    EXPECT_LT(distance(x.grad(), matmul(ones({3, 20}), packed_decode(w.detach()))), 1e-6)
        << c->name;
  }
}

TEST(Codec, LinearLayersUseThemExactlyWithActivationsOf8Bits) {
  NoGrad off;
  nn::Linear layer(70, 90);
  const Tensor x = normal({3, 70}, 2);
  compress(layer, {&codec("q8_0"), 1});
  const auto exact = to_vector<float>(layer(x));
  const Int8Activations int8;
  EXPECT_EQ(to_vector<float>(layer(x)), exact);
}

TEST(Codec, EncodedAnew) {
  for (const Codec* c : matrix_codecs()) {
    const Tensor w = packed_encode(normal({20, 70}, 1), *c), x = normal({20, 70}, 2);
    packed_encode_into(x, w);
    EXPECT_EQ(bytes_of(w), bytes_of(packed_encode(x, *c))) << c->name;
  }
}

}  // namespace
}  // namespace gyre
