#pragma once
// Compiler-specific part of the vector layer: raw vector types, fma, sqrt, floor, round, convert,
// abs, and a few lane permutations.
#include <stddef.h>
#include <stdint.h>

#include "gyre/simd/sequence.h"

#ifndef GYRE_VBYTES
#define GYRE_VBYTES 16
#endif

#if defined(__CUDACC__)
#define GYRE_INLINE __device__ __forceinline__
#define GYRE_TILE __device__
#define GYRE_COLD __device__ __noinline__
#define GYRE_TABLE static __device__ constexpr
#define GYRE_RAW_SCALAR 1  // no vector types: every Vec has one lane
#else
#define GYRE_INLINE inline __attribute__((always_inline))
#define GYRE_TILE                                         ///< functions in tables of tiles
#define GYRE_COLD inline __attribute__((noinline, cold))  ///< rarely executed functions
#define GYRE_TABLE inline constexpr                       ///< constant arrays
#define GYRE_RAW_SCALAR 0
#endif
/// After a lambda's parameters: the lambda is always inlined too.
#define GYRE_LAMBDA_INLINE __attribute__((always_inline))

namespace gyre {
namespace {

template <class T>
struct IntOf;
template <>
struct IntOf<float> {
  using type = int32_t;
  using unsigned_type = uint32_t;
};
template <>
struct IntOf<double> {
  using type = int64_t;
  using unsigned_type = uint64_t;
};
template <>
struct IntOf<int32_t> : IntOf<float> {};
template <>
struct IntOf<int64_t> : IntOf<double> {};
template <>
struct IntOf<uint64_t> : IntOf<double> {};

template <class T>
inline constexpr bool kIsFloat = false;
template <>
inline constexpr bool kIsFloat<float> = true;
template <>
inline constexpr bool kIsFloat<double> = true;
template <class T>
inline constexpr bool kIsUnsigned = T(-1) > T(0);

#if GYRE_RAW_SCALAR
template <class T, int W>
struct Raw {
  static_assert(W == 1);
  using type = T;
};
#else
template <class T, int W>
struct Raw {
  typedef T type __attribute__((vector_size(sizeof(T) * W)));
};
#endif
template <class T, int W>
using RawOf = typename Raw<T, W>::type;

template <class To, class From>
GYRE_INLINE To bit_cast(From x) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, x);
}

/// One lane of a raw vector.
template <class T, int W, class R>
GYRE_INLINE T raw_get(const R& r, int i) {
#if GYRE_RAW_SCALAR
  return (void)i, r;
#else
  return r[i];
#endif
}
template <class T, int W, class R>
GYRE_INLINE void raw_set(R& r, int i, T x) {
#if GYRE_RAW_SCALAR
  (void)i, r = x;
#else
  r[i] = x;
#endif
}

/// Non-temporal store to an address that is a multiple of the vector's size; an ordinary store if
/// there is no instruction for it.
template <class T, int W>
GYRE_INLINE void raw_store_past_caches(RawOf<T, W> x, T* p) {
#if defined(__SSE__) && !GYRE_RAW_SCALAR
  [[maybe_unused]] float* to = reinterpret_cast<float*>(p);
#if defined(__clang__)
  __builtin_nontemporal_store(x, reinterpret_cast<RawOf<T, W>*>(p));
  return;
#else
#if defined(__AVX512F__)
  if constexpr (sizeof(T) * W == 64) return __builtin_ia32_movntps512(to, (RawOf<float, 16>)x);
#endif
#if defined(__AVX__)
  if constexpr (sizeof(T) * W == 32) return __builtin_ia32_movntps256(to, (RawOf<float, 8>)x);
#endif
  if constexpr (sizeof(T) * W == 16) return __builtin_ia32_movntps(to, (RawOf<float, 4>)x);
#endif
#endif
  __builtin_memcpy(p, &x, sizeof x);
}

/// c in every lane. Subtracting +0 keeps the sign of -0.0.
template <class T, int W>
GYRE_INLINE RawOf<T, W> raw_splat(T c) {
  return c - RawOf<T, W>{};
}

/// Comparison result as an integer vector of 0 and -1 lanes.
template <class RI, class C>
GYRE_INLINE RI raw_mask(C c) {
#if GYRE_RAW_SCALAR
  return -RI(c);
#else
  return (RI)c;
#endif
}

/// a * b + c: rounded once if the instruction set has fma, else twice.
template <class T, int W>
GYRE_INLINE RawOf<T, W> raw_fma(RawOf<T, W> a, RawOf<T, W> b, RawOf<T, W> c) {
#if GYRE_RAW_SCALAR
  if constexpr (sizeof(T) == 4) return __builtin_fmaf(a, b, c);
  return __builtin_fma(a, b, c);
#elif !defined(__FMA__)
  return a * b + c;
#else
  // A loop over lanes gives the same instruction, but takes twice the time to compile a kernel.
  constexpr size_t kBytes = sizeof(T) * W;
  constexpr bool kSingle = sizeof(T) == 4;
#if defined(__AVX512F__)
  if constexpr (kBytes == 64 && kSingle) {
    return __builtin_ia32_vfmaddps512_mask(a, b, c, (unsigned short)-1, 4);
  } else if constexpr (kBytes == 64) {
    return __builtin_ia32_vfmaddpd512_mask(a, b, c, (unsigned char)-1, 4);
  } else
#endif
      if constexpr (kBytes == 32 && kSingle) {
    return __builtin_ia32_vfmaddps256(a, b, c);
  } else if constexpr (kBytes == 32) {
    return __builtin_ia32_vfmaddpd256(a, b, c);
  } else if constexpr (kBytes == 16 && kSingle) {
    return __builtin_ia32_vfmaddps(a, b, c);
  } else if constexpr (kBytes == 16) {
    return __builtin_ia32_vfmaddpd(a, b, c);
  } else {
    RawOf<T, W> r;
    for (int i = 0; i < W; ++i)
      r[i] = kSingle ? __builtin_fmaf(a[i], b[i], c[i]) : __builtin_fma(a[i], b[i], c[i]);
    return r;
  }
#endif
}

#if GYRE_RAW_SCALAR
#define GYRE_LANEWISE(name, builtin)                    \
  template <class T, int W>                             \
  GYRE_INLINE T name(T x) {                             \
    return sizeof(T) == 4 ? builtin##f(x) : builtin(x); \
  }
#else
// A loop over lanes with a builtin is one vector instruction in g++ 12 and clang 16.
#define GYRE_LANEWISE(name, builtin)                                                      \
  template <class T, int W>                                                               \
  GYRE_INLINE RawOf<T, W> name(RawOf<T, W> x) {                                           \
    RawOf<T, W> r;                                                                        \
    for (int i = 0; i < W; ++i) r[i] = sizeof(T) == 4 ? builtin##f(x[i]) : builtin(x[i]); \
    return r;                                                                             \
  }
#endif
GYRE_LANEWISE(raw_sqrt, __builtin_sqrt)
GYRE_LANEWISE(raw_floor, __builtin_floor)
/// To the nearest integer, ties to even (the rounding mode is never changed).
GYRE_LANEWISE(raw_round, __builtin_rint)
#undef GYRE_LANEWISE
template <class T, int W>
GYRE_INLINE RawOf<T, W> raw_abs(RawOf<T, W> x) {
  using I = typename IntOf<T>::type;
  constexpr I kTop = I(typename IntOf<T>::unsigned_type(1) << (8 * sizeof(T) - 1));
  return bit_cast<RawOf<T, W>>(bit_cast<RawOf<I, W>>(x) & ~kTop);
}

/// Value conversion lane by lane; to integers it truncates.
template <class U, int W, class R>
GYRE_INLINE RawOf<U, W> raw_convert(R x) {
#if GYRE_RAW_SCALAR
  return U(x);
#else
#if defined(__AVX512F__)
  // g++ 12 converts 8 lanes between float and double in two halves.
  if constexpr (W == 8 && sizeof(U) == 8 && kIsFloat<U> && sizeof(R) == 32 &&
                __is_same(R, RawOf<float, 8>)) {
    return __builtin_ia32_cvtps2pd512_mask(x, RawOf<double, 8>{}, (unsigned char)-1, 4);
  } else if constexpr (W == 8 && __is_same(U, float) && __is_same(R, RawOf<double, 8>)) {
    return __builtin_ia32_cvtpd2ps512_mask(x, RawOf<float, 8>{}, (unsigned char)-1, 4);
  } else
#endif
    return __builtin_convertvector(x, RawOf<U, W>);
#endif
}

#if !GYRE_RAW_SCALAR
/// Lower (or upper) half of the lanes.
template <class T, int W, bool upper>
GYRE_INLINE RawOf<T, W / 2> raw_half(RawOf<T, W> x) {
  constexpr int o = upper ? W / 2 : 0;
  if constexpr (W == 16)
    return __builtin_shufflevector(x, x, o, o + 1, o + 2, o + 3, o + 4, o + 5, o + 6, o + 7);
  else if constexpr (W == 8)
    return __builtin_shufflevector(x, x, o, o + 1, o + 2, o + 3);
  else if constexpr (W == 4)
    return __builtin_shufflevector(x, x, o, o + 1);
  else
    return RawOf<T, W / 2>{x[o]};
}
template <class T, int W>
GYRE_INLINE RawOf<T, 2 * W> raw_join(RawOf<T, W> a, RawOf<T, W> b) {
  if constexpr (W == 8)
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  else if constexpr (W == 4)
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  else if constexpr (W == 2)
    return __builtin_shufflevector(a, b, 0, 1, 2, 3);
  else
    return RawOf<T, 2 * W>{a[0], b[0]};
}
#endif

/// The lower (or upper) halves of two vectors, interleaved.
template <bool upper, class R, size_t... l>
GYRE_INLINE R raw_interleave(R a, R b, Sequence<l...>) {
#if GYRE_RAW_SCALAR
  return (void)b, a;
#else
  constexpr size_t n = sizeof...(l), from = upper ? n / 2 : 0;
  return __builtin_shufflevector(a, b, (from + l / 2 + (l % 2 ? n : 0))...);
#endif
}

/// The first (second) lanes of the 2x2 blocks of two vectors: undone by itself.
template <bool second, class R, size_t... l>
GYRE_INLINE R raw_transpose(R a, R b, Sequence<l...>) {
#if GYRE_RAW_SCALAR
  return (void)b, a;
#else
  return __builtin_shufflevector(a, b, (l + second + (l % 2 ? sizeof...(l) - 1 : 0))...);
#endif
}

/// The smaller (larger) operand; b where they are equal or one is NaN: one instruction of x86.
// g++ 12 does not find it where an operand is constant.
#if defined(__GNUC__) && !defined(__clang__) && defined(__SSE2__) && !GYRE_RAW_SCALAR
#define GYRE_EXTREMUM_NATIVE(bytes, T_, name, ...)                    \
  if constexpr (sizeof(T) * W == bytes && __is_same(T, T_)) {         \
    return __builtin_ia32_##name(a, b __VA_OPT__(, a, ) __VA_ARGS__); \
  } else
#define GYRE_EXTREMUM_128(name)             \
  GYRE_EXTREMUM_NATIVE(16, float, name##ps) \
  GYRE_EXTREMUM_NATIVE(16, double, name##pd)
#if defined(__AVX__)
#define GYRE_EXTREMUM_256(name)                \
  GYRE_EXTREMUM_NATIVE(32, float, name##ps256) \
  GYRE_EXTREMUM_NATIVE(32, double, name##pd256)
#else
#define GYRE_EXTREMUM_256(name)
#endif
#if defined(__AVX512F__)
#define GYRE_EXTREMUM_512(name)                                   \
  GYRE_EXTREMUM_NATIVE(64, float, name##ps512_mask, (short)-1, 4) \
  GYRE_EXTREMUM_NATIVE(64, double, name##pd512_mask, (char)-1, 4)
#else
#define GYRE_EXTREMUM_512(name)
#endif
#define GYRE_EXTREMUM_X86(name) \
  GYRE_EXTREMUM_128(name) GYRE_EXTREMUM_256(name) GYRE_EXTREMUM_512(name)
#else
#define GYRE_EXTREMUM_X86(name)
#endif
template <class T, int W>
GYRE_INLINE RawOf<T, W> raw_min(RawOf<T, W> a, RawOf<T, W> b) {
  GYRE_EXTREMUM_X86(min) return a < b ? a : b;
}
template <class T, int W>
GYRE_INLINE RawOf<T, W> raw_max(RawOf<T, W> a, RawOf<T, W> b) {
  GYRE_EXTREMUM_X86(max) return a > b ? a : b;
}

/// Products of the lower halves of 64-bit lanes: one instruction, which g++ 12 does not find.
template <int W>
GYRE_INLINE RawOf<uint64_t, W> raw_multiply_halves(RawOf<uint64_t, W> a, RawOf<uint64_t, W> b) {
#if !defined(__clang__) && defined(__SSE2__) && !GYRE_RAW_SCALAR
  using Halves = RawOf<int32_t, 2 * W>;
  using Product = RawOf<uint64_t, W>;
#if defined(__AVX512F__)
  if constexpr (W == 8) {
    typedef long long Whole __attribute__((vector_size(64)));
    return Product(__builtin_ia32_pmuludq512_mask(Halves(a), Halves(b), Whole{}, -1));
  }
#endif
#if defined(__AVX2__)
  if constexpr (W == 4) return Product(__builtin_ia32_pmuludq256(Halves(a), Halves(b)));
#endif
  if constexpr (W == 2) return Product(__builtin_ia32_pmuludq128(Halves(a), Halves(b)));
#endif
  return (a & 0xffffffff) * (b & 0xffffffff);
}

/// Whether any bit of an integer vector is set.
template <class I, int W>
GYRE_INLINE bool raw_any(RawOf<I, W> x) {
#if GYRE_RAW_SCALAR
  return x != 0;
#else
  if constexpr (sizeof(I) * W > 16) {
    return raw_any<I, W / 2>(raw_half<I, W, false>(x) | raw_half<I, W, true>(x));
  } else {
    I r = x[0];
    for (int i = 1; i < W; ++i) r |= x[i];
    return r != 0;
  }
#endif
}

#if defined(__AVX512F__) && !GYRE_RAW_SCALAR
inline constexpr bool kHasScale = true;
/// p * 2^n rounded once, for whole n (one instruction of AVX-512).
template <class T, int W>
GYRE_INLINE RawOf<T, W> raw_scale(RawOf<T, W> p, RawOf<T, W> n) {
  if constexpr (sizeof(T) == 4)
    return __builtin_ia32_scalefps512_mask(p, n, p, (short)-1, 4);
  else
    return __builtin_ia32_scalefpd512_mask(p, n, p, (char)-1, 4);
}
#else
inline constexpr bool kHasScale = false;
#endif

}  // namespace
}  // namespace gyre
