#include "gyre/packed/block_product.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "gyre/base/cpu.h"
#include "gyre/base/half.h"
#include "gyre/base/thread_pool.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/codec/matrix_codec.h"
#include "gyre/packed/packed_file.h"
#include "gyre/packed/test_packed.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

const Codec& q8() { return codec(PackedFormat::q8_0); }
const Codec& q4() { return codec(PackedFormat::q4_0); }

// The bytes of packed w as a tensor, `shift` bytes after an address of 64 bytes.
Tensor bytes_at(const Tensor& w, int64_t shift = 0) {
  const auto from = packed_storage(w).matrix_bytes();
  const Tensor all = zeros({std::ssize(from) + shift}, {.dtype = DType::u8});
  std::ranges::copy(from, all.bytes() + shift);
  return slice(all, {0, shift, all.size(0), 1});
}

TEST(BlockProduct, IsThatOfTheDecodedWeights) {
  NoGrad off;
  for (const Codec* format : {&q8(), &q4()}) {
    ASSERT_TRUE(has_block_kernels(*format));
    for (const Shape& shape :
         {Shape{1, 1}, Shape{3, 32}, Shape{5, 96}, Shape{70, 131}, Shape{33, 600}}) {
      const Tensor w = packed_encode(normal(shape, 1), *format);
      const Tensor dense = to(packed_decode(w), DType::f64);
      for (const int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 33}) {
        const Tensor x = normal({n, shape[1]}, 2), y = normal({n, shape[0]}, 3);
        EXPECT_LT(distance(packed_matmul(x, w), matmul(to(x, DType::f64), transpose(dense, 0, 1))),
                  1e-6)
            << format->name << to_string(shape) << n;
        EXPECT_LT(distance(packed_matmul(y, w, false), matmul(to(y, DType::f64), dense)), 1e-6)
            << format->name << to_string(shape) << n;
      }
    }
  }
  EXPECT_FALSE(has_block_kernels(codec(PackedFormat::nf4)));
  EXPECT_FALSE(has_block_kernels(codec(PackedFormat::D4)));
}

TEST(BlockProduct, EveryInstructionSetIsNearAndAnyNumberOfThreadsTheSame) {
  NoGrad off;
  const Isa before = isa();
  for (const Codec* format : {&q8(), &q4()}) {
    const Tensor w = packed_encode(normal({301, 416}, 1), *format);
    const Tensor dense = transpose(to(packed_decode(w), DType::f64), 0, 1);
    for (const int64_t n : {1, 3, 6, 20}) {
      const Tensor x = normal({n, 416}, 2), wanted = matmul(to(x, DType::f64), dense);
      for (Isa level : {v2, v3, v4}) {
        if (level > cpu_features().best) continue;
        set_isa(level);
        EXPECT_LT(distance(packed_matmul(x, w), wanted), 1e-6) << format->name << n << level;
      }
      set_isa(before);
      const auto values = to_vector<float>(packed_matmul(x, w));
      for (const int threads : {1, 2, 7}) {
        set_num_threads(threads);
        EXPECT_EQ(to_vector<float>(packed_matmul(x, w)), values) << format->name << n << threads;
      }
      set_num_threads(0);
    }
  }
}

TEST(BlockProduct, ReadsBytesAtAnyAddressWithoutACopy) {
  NoGrad off;
  const Tensor x = normal({3, 96}, 2), at = tensor<int64_t>(std::vector<int64_t>{4, 0}, {2});
  for (const Codec* format : {&q8(), &q4()}) {
    const Tensor own = packed_encode(normal({5, 96}, 1), *format);
    for (const int64_t shift : {0, 1, 2, 8}) {
      const Tensor bytes = bytes_at(own, shift), w = packed_of_bytes(*format, {5, 96}, bytes);
      EXPECT_EQ(packed_storage(w).matrix.bytes, bytes.bytes());
      EXPECT_EQ(packed_storage(w).memory.get(), bytes.impl()->storage.get());
      EXPECT_EQ(to_vector<float>(packed_decode(w)), to_vector<float>(packed_decode(own)));
      EXPECT_EQ(to_vector<float>(packed_matmul(x, w)), to_vector<float>(packed_matmul(x, own)));
      EXPECT_EQ(to_vector<float>(packed_rows(w, at)), to_vector<float>(packed_rows(own, at)));
      // what is written to files, and copies
      EXPECT_EQ(to_vector<int64_t>(packed_words(w)), to_vector<int64_t>(packed_words(own)));
      EXPECT_EQ(to_vector<int64_t>(packed_headers(w)), to_vector<int64_t>(packed_headers(own)));
      EXPECT_EQ(bytes_of(w), bytes_of(own));
      const Tensor copy = clone(w);
      EXPECT_EQ(bytes_of(copy), bytes_of(own));
      EXPECT_FALSE(packed_storage(copy).is_bytes);
      EXPECT_NO_THROW(check_packed(packed_storage(w), "w"));
      packed_encode_into(normal({5, 96}, 7), w);
      EXPECT_EQ(bytes_of(w), bytes_of(packed_encode(normal({5, 96}, 7), *format)));
      EXPECT_NE(bytes_of(w), bytes_of(copy));
    }
  }
}

TEST(BlockProduct, WordsShareBytesThatAreWholeWords) {
  const Tensor own = packed_encode(normal({8, 64}, 1), q8()), bytes = bytes_at(own);
  EXPECT_EQ(packed_words(packed_of_bytes(q8(), {8, 64}, bytes)).bytes(), bytes.bytes());
}

TEST(BlockProduct, BytesOfAnotherSizeOrFormatAreRefused) {
  const Tensor bytes = bytes_at(packed_encode(normal({5, 96}, 1), q8()));
  const auto message = [](Code code, const Codec& format, const Shape& shape, const Tensor& from) {
    return message_of(code, [&] { (void)packed_of_bytes(format, shape, from); });
  };
  EXPECT_TRUE(contains(message(Code::shape, q8(), {4, 96}, bytes), "[408]"));
  EXPECT_TRUE(contains(message(Code::shape, q4(), {5, 96}, bytes), "[270]"));
  EXPECT_TRUE(contains(message(Code::shape, q8(), {96}, bytes), "two or more axes"));
  EXPECT_TRUE(contains(message(Code::unsupported, codec(PackedFormat::D4), {5, 96}, bytes),
                       "D4 is a format of rings"));
  EXPECT_TRUE(contains(message(Code::dtype, q8(), {5, 96}, zeros({510})), "expected u8"));
  const Tensor apart = slice(zeros({1020}, {.dtype = DType::u8}), {0, 0, 1020, 2});
  EXPECT_EQ(code_of([&] { (void)packed_of_bytes(q8(), {5, 96}, apart); }), Code::shape);
}

TEST(BlockProduct, ScalesThatAreNotFiniteGiveNaN) {
  NoGrad off;
  const Tensor bytes = bytes_at(packed_encode(normal({5, 32}, 1), q4()));
  const uint16_t nan = 0x7e00;
  std::memcpy(bytes.bytes() + 2 * 18, &nan, sizeof nan);
  const Tensor w = packed_of_bytes(q4(), {5, 32}, bytes);
  for (const int64_t n : {1, 4, 12}) {
    const auto y = to_vector<float>(packed_matmul(normal({n, 32}, 2), w));
    for (size_t i = 0; i < y.size(); ++i) EXPECT_EQ(std::isnan(y[i]), i % 5 == 2) << n << i;
  }
  EXPECT_EQ(code_of([&] { check_packed(packed_storage(w), "w"); }), Code::parse);
}

TEST(BlockProduct, RowsStayPacked) {
  NoGrad off;
  for (const char* name : {"q8_0", "q4_0", "nf4", "int8"}) {
    const Tensor w = packed_encode(normal({9, 70}, 1), codec(name)), dense = packed_decode(w);
    const Tensor part = packed_row_range(w, 2, 7);
    EXPECT_EQ(part.shape(), (Shape{5, 70}));
    EXPECT_EQ(packed_storage(part).memory.get(), packed_storage(w).memory.get());
    EXPECT_EQ(to_vector<float>(packed_decode(part)), to_vector<float>(slice(dense, {0, 2, 7, 1})));
    EXPECT_EQ(to_vector<float>(packed_decode(packed_row_range(part, 1, 2))),
              to_vector<float>(slice(dense, {0, 3, 4, 1})));
    const std::vector<int64_t> order{8, 0, 3, 3};
    const Tensor copies = packed_row_copies(w, order);
    EXPECT_EQ(to_vector<float>(packed_decode(copies)),
              to_vector<float>(index_select(dense, 0, tensor<int64_t>(order, {4}))));
    EXPECT_NO_THROW(check_packed(packed_storage(copies), name));
    EXPECT_TRUE(contains(message_of(Code::index, [&] { (void)packed_row_range(w, 2, 10); }),
                         "expected rows of 0 to 9, got 2 to 10"));
    EXPECT_EQ(code_of([&] { (void)packed_row_range(w, 3, 3); }), Code::index);
    EXPECT_EQ(code_of([&] { (void)packed_row_range(w, -1, 3); }), Code::index);
    EXPECT_EQ(code_of([&] { (void)packed_row_copies(w, std::vector<int64_t>{9}); }), Code::index);
  }
  for (const char* name : {"vq", "low_rank", "F", "D4"}) {
    const Tensor w = packed_encode(normal({9, 70}, 1), codec(name));
    EXPECT_TRUE(contains(message_of(Code::unsupported, [&] { (void)packed_row_range(w, 0, 2); }),
                         std::string("rows packed in ") + name));
    EXPECT_EQ(code_of([&] { (void)packed_row_copies(w, std::vector<int64_t>{0}); }),
              Code::unsupported);
  }
  EXPECT_EQ(code_of([] { (void)packed_row_range(zeros({3, 3}), 0, 2); }), Code::unsupported);
}

TEST(BlockProduct, BytesAreSavedAsWords) {
  const std::string path = testing::TempDir() + "gyre_block_product_test.safetensors";
  for (const Codec* format : {&q8(), &q4()}) {
    const Tensor own = packed_encode(normal({5, 96}, 1), *format);
    const NamedTensor lent{"w", packed_of_bytes(*format, {5, 96}, bytes_at(own, 3))};
    write_state(path, {&lent, 1});
    const auto found = load_state(SafetensorsFile(path));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(bytes_of(found[0].tensor), bytes_of(own));
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace gyre
