#pragma once
#include <stddef.h>
#include <stdint.h>

#include "gyre/tensor/dtype_list.h"

namespace gyre {

/// Types that tiles compute in. 16-bit floats are computed in f32, narrow integers and boolean in
/// i32, u32 in i64. Ops whose results are the same bits for i64 and u64, such as sums, use one tile
/// for both.
enum class Compute : uint8_t { f32, f64, i32, i64, u64 };
inline constexpr int kComputes = 5;
/// f(T()) for the type T.
constexpr auto visit_compute(Compute compute, auto f) {
  switch (compute) {
    case Compute::f32:
      return f(float());
    case Compute::f64:
      return f(double());
    case Compute::i32:
      return f(int32_t());
    case Compute::i64:
      return f(int64_t());
    case Compute::u64:
      break;
  }
  return f(uint64_t());
}
constexpr size_t size_of(Compute c) { return c == Compute::f32 || c == Compute::i32 ? 4 : 8; }

/// Converts n contiguous elements between types. Floats to integers truncate and saturate, NaN
/// becomes 0; integers to narrower ones wrap, but `load` of u64 as i64 saturates, so that indices
/// stay out of range; nonzero becomes true.
using Convert = void (*)(const void* in, void* out, int64_t n) noexcept;
/// Copies n elements `stride` elements apart to or from contiguous memory.
using Gather = void (*)(const void* in, int64_t stride, void* out, int64_t n) noexcept;
using Scatter = void (*)(const void* in, void* out, int64_t stride, int64_t n) noexcept;
/// Transposes `rows` x `columns`: element (r, c), at c * from_stride bytes plus r elements in
/// `from`, goes to r * to_stride bytes plus c elements in `to`.
using Transpose = void (*)(const void* from, int64_t from_stride, void* to, int64_t to_stride,
                           int64_t rows, int64_t columns) noexcept;

/// The index of `gather`, `scatter` and `transpose` below.
inline int log2_of(size_t bytes) { return __builtin_ctzll(bytes); }

/// Results of at least this many bytes use non-temporal stores, which avoids reading the lines
/// first.
inline constexpr int64_t kStreamBytes = int64_t{8} << 20;

inline constexpr int kConvertDTypes = 0
#define X(name, type, kind) +1
    GYRE_DTYPES(X)
#undef X
    ;

/// Conversions between stored and computed elements, per instruction set.
struct ConvertTiles {
  Convert load[kConvertDTypes][kComputes];
  Convert store[kComputes][kConvertDTypes];
  Gather gather[4];    ///< by log2 of the element's bytes
  Scatter scatter[4];  ///< by log2 of the element's bytes
  /// out[i] += in[i]
  void (*accumulate)(const double* in, double* out, int64_t n) noexcept;
  /// copies with non-temporal stores; `out` aligned to 16, better 64, `bytes` a multiple of 64
  void (*stream)(const void* in, void* out, size_t bytes) noexcept;
  /// makes streamed bytes visible to other threads; call once, after the last
  void (*fence)() noexcept;
  Transpose transpose[4];  ///< by log2 of the element's bytes
};

/// The tiles of the instruction set in use.
const ConvertTiles& convert_tiles();

}  // namespace gyre
