#include "gyre/tensor/dtype.h"

#include <gtest/gtest.h>

#include <optional>

#include "gyre/base/error.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

TEST(DType, SizesAndNames) {
  struct {
    DType dtype;
    const char* name;
    size_t size;
  } rows[] = {{DType::f16, "f16", 2},        {DType::bf16, "bf16", 2}, {DType::f32, "f32", 4},
              {DType::f64, "f64", 8},        {DType::i8, "i8", 1},     {DType::i16, "i16", 2},
              {DType::i32, "i32", 4},        {DType::i64, "i64", 8},   {DType::u8, "u8", 1},
              {DType::u16, "u16", 2},        {DType::u32, "u32", 4},   {DType::u64, "u64", 8},
              {DType::boolean, "boolean", 1}};
  EXPECT_EQ(std::size(rows), static_cast<size_t>(kDTypes));
  for (const auto& row : rows) {
    EXPECT_STREQ(name_of(row.dtype), row.name);
    EXPECT_EQ(size_of(row.dtype), row.size);
    EXPECT_EQ(dtype_of(row.name), row.dtype);
    EXPECT_EQ(is_floating(row.dtype), row.name[0] == 'f' || row.dtype == DType::bf16);
  }
  EXPECT_EQ(dtype_of("bool"), DType::boolean);
}

TEST(DType, UnknownNamesAreRefused) {
  for (const char* name : {"", "f", "float32", "F32", "f32 "}) {
    Error e = error_of([&] { dtype_of(name); });
    EXPECT_EQ(e.code, Code::dtype);
    EXPECT_EQ(e.actual, name);
    EXPECT_TRUE(contains(e.expected, "bf16"));
  }
}

// Rows and columns: f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 boolean. NONE: refused.
TEST(DType, PromotionTable) {
  using enum DType;
  constexpr std::optional<DType> NONE;
  constexpr std::optional<DType> kTable[kDTypes][kDTypes] = {
      // clang-format off
      {f16, f32,  f32, f64, f16,  f16,  f16,  f16,  f16,  f16,  f16,  f16,  f16},
      {f32, bf16, f32, f64, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16},
      {f32, f32,  f32, f64, f32,  f32,  f32,  f32,  f32,  f32,  f32,  f32,  f32},
      {f64, f64,  f64, f64, f64,  f64,  f64,  f64,  f64,  f64,  f64,  f64,  f64},
      {f16, bf16, f32, f64, i8,   i16,  i32,  i64,  i16,  i32,  i64,  NONE, i8},
      {f16, bf16, f32, f64, i16,  i16,  i32,  i64,  i16,  i32,  i64,  NONE, i16},
      {f16, bf16, f32, f64, i32,  i32,  i32,  i64,  i32,  i32,  i64,  NONE, i32},
      {f16, bf16, f32, f64, i64,  i64,  i64,  i64,  i64,  i64,  i64,  NONE, i64},
      {f16, bf16, f32, f64, i16,  i16,  i32,  i64,  u8,   u16,  u32,  u64,  u8},
      {f16, bf16, f32, f64, i32,  i32,  i32,  i64,  u16,  u16,  u32,  u64,  u16},
      {f16, bf16, f32, f64, i64,  i64,  i64,  i64,  u32,  u32,  u32,  u64,  u32},
      {f16, bf16, f32, f64, NONE, NONE, NONE, NONE, u64,  u64,  u64,  u64,  u64},
      {f16, bf16, f32, f64, i8,   i16,  i32,  i64,  u8,   u16,  u32,  u64,  boolean},
      // clang-format on
  };
  for (int a = 0; a < kDTypes; ++a) {
    for (int b = 0; b < kDTypes; ++b) {
      const auto first = static_cast<DType>(a), second = static_cast<DType>(b);
      if (kTable[a][b]) {
        EXPECT_EQ(promote(first, second), *kTable[a][b]) << name_of(first) << name_of(second);
      } else {
        const Error e = error_of([&] { promote(first, second); });
        EXPECT_EQ(e.code, Code::dtype);
        EXPECT_TRUE(contains(e.what(), name_of(second))) << e.what();
      }
    }
  }
}

TEST(DType, LiteralsTakeTheOtherSidesDtypeUnlessOfAHigherClass) {
  using enum DType;
  for (DType d : {f16, bf16, f32, f64}) {
    EXPECT_EQ(promote_weak(d, f64), d);
    EXPECT_EQ(promote_weak(d, i64), d);
    EXPECT_EQ(promote_weak(d, boolean), d);
  }
  for (DType d : {i8, i16, i32, i64, u8, u16, u32, u64}) {
    EXPECT_EQ(promote_weak(d, f64), f32);
    EXPECT_EQ(promote_weak(d, i64), d);
    EXPECT_EQ(promote_weak(d, u64), d);
  }
  EXPECT_EQ(promote_weak(boolean, u64), u64);
  EXPECT_EQ(promote_weak(boolean, f64), f32);
  EXPECT_EQ(promote_weak(boolean, i64), i64);
  EXPECT_EQ(promote_weak(boolean, boolean), boolean);
}

}  // namespace
}  // namespace gyre
