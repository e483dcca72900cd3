#pragma once

/// Every element type: name, C++ type, class. Promotion follows the order of classes. No includes:
/// kernel objects read this file too.
#define GYRE_DTYPES(X)               \
  X(f16, ::gyre::f16, floating)      \
  X(bf16, ::gyre::bf16, floating)    \
  X(f32, float, floating)            \
  X(f64, double, floating)           \
  X(i8, int8_t, signed_integer)      \
  X(i16, int16_t, signed_integer)    \
  X(i32, int32_t, signed_integer)    \
  X(i64, int64_t, signed_integer)    \
  X(u8, uint8_t, unsigned_integer)   \
  X(u16, uint16_t, unsigned_integer) \
  X(u32, uint32_t, unsigned_integer) \
  X(u64, uint64_t, unsigned_integer) \
  X(boolean, bool, boolean_class)
