#include "gyre/kernel/convert.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/kernel/transpose_tile.h"
#include "gyre/simd/convert16.h"

namespace gyre {

// Opaque types here: their arithmetic is in simd/convert16.h.
struct f16 {
  uint16_t bits;
};
struct bf16 {
  uint16_t bits;
};

namespace {

template <class To, class From>
GYRE_INLINE To cast(From x) {
  if constexpr (kIsFloat<From> && !kIsFloat<To>) {
    constexpr int digits = sizeof(To) * 8 - (To(-1) < To(0) ? 1 : 0);
    constexpr double bound = digits == 64 ? 0x1p64 : double(uint64_t(1) << digits);
    constexpr To top = To(~(digits == 64 ? uint64_t(0) : ~uint64_t(0) << digits));
    constexpr double low = To(-1) < To(0) ? -bound : 0.0;
    if (!(x == x)) return To(0);
    if (double(x) >= bound) return top;
    if (double(x) <= low) return To(low);
    return To(x);
  } else {
    return To(x);
  }
}

// Floats of any size to floats, by vectors: -O2 leaves loops of unknown length as they are.
template <class From, class To>
void convert_floats(const From* x, To* y, int64_t n) {
  constexpr int W = kWidth<double>;
  constexpr int64_t kAhead = 4096 / sizeof(From);
  int64_t i = 0;
  for (; i + W <= n; i += W) {
    prefetch(x + i + kAhead);
    convert<To>(Vec<From, W>::load(x + i)).store(y + i);
  }
  for (; i < n; ++i) y[i] = To(x[i]);
}

// Elements none of which is of an opaque type.
template <class From, class To>
GYRE_INLINE void convert_plain(const From* x, To* y, int64_t n) {
  if constexpr (!kIsFloat<From> && !kIsFloat<To> && sizeof(From) == sizeof(To)) {
    if (n > 0) __builtin_memmove(y, x, size_t(n) * sizeof(To));
  } else if constexpr (kIsFloat<From> && kIsFloat<To>) {
    convert_floats(x, y, n);
  } else {
    for (int64_t i = 0; i < n; ++i) y[i] = cast<To>(x[i]);
  }
}

template <class From, class To>
void load(const void* in, void* out, int64_t n) noexcept {
  const From* x = static_cast<const From*>(in);
  To* y = static_cast<To*>(out);
  if constexpr (__is_same(From, f16) || __is_same(From, bf16)) {
    constexpr int64_t kPiece = 64;
    float piece[kPiece];
    for (int64_t i = 0; i < n; i += kPiece) {
      int64_t m = n - i < kPiece ? n - i : kPiece;
      float* target = __is_same(To, float) ? reinterpret_cast<float*>(y) + i : piece;
      const uint16_t* source = reinterpret_cast<const uint16_t*>(x) + i;
      if constexpr (__is_same(From, f16)) {
        f16_to_f32(source, target, m);
      } else {
        bf16_to_f32(source, target, m);
      }
      if constexpr (!__is_same(To, float)) {
        for (int64_t j = 0; j < m; ++j) y[i + j] = cast<To>(piece[j]);
      }
    }
  } else if constexpr (__is_same(From, uint64_t) && __is_same(To, int64_t)) {
    for (int64_t i = 0; i < n; ++i) y[i] = int64_t(x[i] > INT64_MAX ? INT64_MAX : x[i]);
  } else {
    convert_plain(x, y, n);
  }
}

template <class From, class To>
void store(const void* in, void* out, int64_t n) noexcept {
  const From* x = static_cast<const From*>(in);
  To* y = static_cast<To*>(out);
  if constexpr (__is_same(To, f16) || __is_same(To, bf16)) {
    constexpr int64_t kPiece = 64;
    float piece[kPiece];
    for (int64_t i = 0; i < n; i += kPiece) {
      int64_t m = n - i < kPiece ? n - i : kPiece;
      const float* source = reinterpret_cast<const float*>(x) + i;
      if constexpr (!__is_same(From, float)) {
        for (int64_t j = 0; j < m; ++j) piece[j] = float(x[i + j]);
        source = piece;
      }
      uint16_t* target = reinterpret_cast<uint16_t*>(y) + i;
      if constexpr (__is_same(To, f16)) {
        f32_to_f16(source, target, m);
      } else {
        f32_to_bf16(source, target, m);
      }
    }
  } else if constexpr (__is_same(To, bool)) {
    for (int64_t i = 0; i < n; ++i) y[i] = x[i] != From(0);
  } else {
    convert_plain(x, y, n);
  }
}

template <class T>
void gather(const void* in, int64_t stride, void* out, int64_t n) noexcept {
  const T* x = static_cast<const T*>(in);
  T* y = static_cast<T*>(out);
  if (stride == 1) {
    __builtin_memcpy(y, x, static_cast<size_t>(n) * sizeof(T));
    return;
  }
  for (int64_t i = 0; i < n; ++i) y[i] = x[i * stride];
}

template <class T>
void scatter(const void* in, void* out, int64_t stride, int64_t n) noexcept {
  const T* x = static_cast<const T*>(in);
  T* y = static_cast<T*>(out);
  for (int64_t i = 0; i < n; ++i) y[i * stride] = x[i];
}

void accumulate(const double* in, double* out, int64_t n) noexcept {
  using V = Vec<double>;
  int64_t i = 0;
  for (; i + V::width <= n; i += V::width) (V::load(out + i) + V::load(in + i)).store(out + i);
  for (; i < n; ++i) out[i] += in[i];
}

template <class V>
void stream_lines(const float* x, float* y, size_t lines) {
  constexpr int kLine = 64 / sizeof(float);
  for (; lines > 0; --lines, x += kLine, y += kLine) {
#pragma GCC unroll 4
    for (int i = 0; i < kLine; i += V::width) V::load(x + i).store_past_caches(y + i);
  }
}

void stream(const void* in, void* out, size_t bytes) noexcept {
  using Wide = Vec<float>;
  using Least = Vec<float, 4>;
  const float* x = static_cast<const float*>(in);
  float* y = static_cast<float*>(out);
  if (reinterpret_cast<uintptr_t>(out) % sizeof(Wide) == 0) {
    stream_lines<Wide>(x, y, bytes / 64);
  } else {
    stream_lines<Least>(x, y, bytes / 64);
  }
}

void fence() noexcept {
#if defined(__SSE__)
  __builtin_ia32_sfence();
#endif
}

}  // namespace

GYRE_EXPORT_TILES(ConvertTiles, convert) = {
    {
#define X(name, type, kind)                                                         \
  {load<type, float>, load<type, double>, load<type, int32_t>, load<type, int64_t>, \
   load<type, uint64_t>},
        GYRE_DTYPES(X)
#undef X
    },
    {
#define X(name, type, kind) store<float, type>,
        {GYRE_DTYPES(X)},
#undef X
#define X(name, type, kind) store<double, type>,
        {GYRE_DTYPES(X)},
#undef X
#define X(name, type, kind) store<int32_t, type>,
        {GYRE_DTYPES(X)},
#undef X
#define X(name, type, kind) store<int64_t, type>,
        {GYRE_DTYPES(X)},
#undef X
#define X(name, type, kind) store<uint64_t, type>,
        {GYRE_DTYPES(X)},
#undef X
    },
    {gather<uint8_t>, gather<uint16_t>, gather<uint32_t>, gather<uint64_t>},
    {scatter<uint8_t>, scatter<uint16_t>, scatter<uint32_t>, scatter<uint64_t>},
    accumulate,
    stream,
    fence,
    {transpose<uint8_t>, transpose<uint16_t>, transpose<uint32_t>, transpose<uint64_t>}};

}  // namespace gyre
