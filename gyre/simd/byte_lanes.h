#pragma once
// Vectors of bytes: shuffles and sums that the vector extensions of compilers do not express.
#include "gyre/simd/primitives.h"

namespace gyre {
namespace {

#if !GYRE_RAW_SCALAR

/// 16 bytes of memory in each 16-byte lane.
template <int N>
GYRE_INLINE RawOf<uint8_t, N> raw_repeat_bytes(const void* from) {
  using Lane = RawOf<uint8_t, 16>;
  Lane lane;
  __builtin_memcpy(&lane, from, 16);
#if defined(__AVX512BW__) && !defined(__clang__)  // one instruction, which GCC does not find
  using Four = RawOf<int32_t, 4>;
  using All = RawOf<int32_t, 16>;
  if constexpr (N == 64)
    return RawOf<uint8_t, N>(__builtin_ia32_broadcasti32x4_512(Four(lane), All{}, 0xffff));
#endif
  // in registers: parts that are stored and read as a whole would have to wait for the memory
  using Two = RawOf<int64_t, 2>;
  const Two two = Two(lane);
  if constexpr (N == 16) return lane;
  if constexpr (N == 32) return RawOf<uint8_t, N>(__builtin_shufflevector(two, two, 0, 1, 0, 1));
  if constexpr (N == 64)
    return RawOf<uint8_t, N>(__builtin_shufflevector(two, two, 0, 1, 0, 1, 0, 1, 0, 1));
}

/// Byte i of each 16-byte lane: byte from[i] % 16 of the same lane.
template <int N>
GYRE_INLINE RawOf<uint8_t, N> raw_shuffle_bytes(RawOf<uint8_t, N> x, RawOf<uint8_t, N> from) {
  using Bytes [[maybe_unused]] = RawOf<char, N>;
#if defined(__AVX512BW__)
#if defined(__clang__)
  if constexpr (N == 64) return RawOf<uint8_t, N>(__builtin_ia32_pshufb512(Bytes(x), Bytes(from)));
#else
  if constexpr (N == 64) {
    return RawOf<uint8_t, N>(__builtin_ia32_pshufb512_mask(Bytes(x), Bytes(from), Bytes{}, ~0ull));
  }
#endif
#endif
#if defined(__AVX2__)
  if constexpr (N == 32) return RawOf<uint8_t, N>(__builtin_ia32_pshufb256(Bytes(x), Bytes(from)));
#endif
#if defined(__SSSE3__)
  if constexpr (N == 16) return RawOf<uint8_t, N>(__builtin_ia32_pshufb128(Bytes(x), Bytes(from)));
#endif
  RawOf<uint8_t, N> r;
  for (int i = 0; i < N; ++i) r[i] = x[i / 16 * 16 + from[i] % 16];
  return r;
}

/// N bytes of memory, signed or not, as 32-bit lanes.
template <int N, class T>
GYRE_INLINE RawOf<int32_t, N> raw_widen_bytes(const T* from) {
  static_assert(sizeof(T) == 1);
#if defined(__SSE4_1__) && !defined(__clang__)  // GCC 12 would move byte by byte
  using Lane [[maybe_unused]] = RawOf<char, 16>;
  constexpr bool kSigned = T(-1) < T(0);
#if defined(__AVX512F__)
  if constexpr (N == 16) {
    Lane bytes;
    __builtin_memcpy(&bytes, from, 16);
    using All = RawOf<int32_t, 16>;
    return kSigned ? __builtin_ia32_pmovsxbd512_mask(bytes, All{}, (unsigned short)-1)
                   : __builtin_ia32_pmovzxbd512_mask(bytes, All{}, (unsigned short)-1);
  }
#endif
#if defined(__AVX2__)
  if constexpr (N == 8) {
    long long eight;
    __builtin_memcpy(&eight, from, 8);
    const Lane bytes = Lane(RawOf<long long, 2>{eight, 0});
    return kSigned ? __builtin_ia32_pmovsxbd256(bytes) : __builtin_ia32_pmovzxbd256(bytes);
  }
#endif
  if constexpr (N == 4) {
    int four;
    __builtin_memcpy(&four, from, 4);
    const Lane bytes = Lane(RawOf<int, 4>{four, 0, 0, 0});
    return kSigned ? __builtin_ia32_pmovsxbd128(bytes) : __builtin_ia32_pmovzxbd128(bytes);
  }
#endif
  RawOf<T, N> bytes;
  __builtin_memcpy(&bytes, from, sizeof bytes);
  return raw_convert<int32_t, N>(bytes);
}

/// The sum of the two bytes of each 16-bit lane.
template <int N>
GYRE_INLINE RawOf<short, N / 2> raw_sum_two_bytes(RawOf<uint8_t, N> x) {
  using Pairs = RawOf<short, N / 2>;
#if defined(__SSSE3__)
  using Bytes = RawOf<char, N>;
  const Bytes ones = Bytes{} + 1;
#if defined(__AVX512BW__)
#if defined(__clang__)
  if constexpr (N == 64) return Pairs(__builtin_ia32_pmaddubsw512(Bytes(x), ones));
#else
  if constexpr (N == 64)
    return Pairs(__builtin_ia32_pmaddubsw512_mask(Bytes(x), ones, Pairs{}, ~0u));
#endif
#endif
#if defined(__AVX2__)
  if constexpr (N == 32) return Pairs(__builtin_ia32_pmaddubsw256(Bytes(x), ones));
#endif
  if constexpr (N == 16) return Pairs(__builtin_ia32_pmaddubsw128(Bytes(x), ones));
#endif
  using Unsigned = RawOf<uint16_t, N / 2>;
  return Pairs((Unsigned(x) & uint16_t(0xff)) + (Unsigned(x) >> 8));
}

/// The sum of the products of two neighbouring 16-bit numbers.
template <int N>
GYRE_INLINE RawOf<int32_t, N / 2> raw_sum_pairs(RawOf<short, N> x, RawOf<short, N> y) {
  using Sums [[maybe_unused]] = RawOf<int32_t, N / 2>;
#if defined(__AVX512BW__)
#if defined(__clang__)
  if constexpr (N == 32) return Sums(__builtin_ia32_pmaddwd512(x, y));
#else
  if constexpr (N == 32) return Sums(__builtin_ia32_pmaddwd512_mask(x, y, Sums{}, 0xffff));
#endif
#endif
#if defined(__AVX2__)
  if constexpr (N == 16) return Sums(__builtin_ia32_pmaddwd256(x, y));
#endif
#if defined(__SSSE3__)
  if constexpr (N == 8) return Sums(__builtin_ia32_pmaddwd128(x, y));
#endif
  RawOf<int32_t, N / 2> r;
  for (int i = 0; i < N / 2; ++i) r[i] = x[2 * i] * y[2 * i] + x[2 * i + 1] * y[2 * i + 1];
  return r;
}

/// The sum of the four bytes of each 32-bit lane.
template <int N>
GYRE_INLINE RawOf<int32_t, N / 4> raw_sum_bytes(RawOf<uint8_t, N> x) {
  return raw_sum_pairs<N / 2>(raw_sum_two_bytes<N>(x), RawOf<short, N / 2>{} + short(1));
}

/// The sum of the products of the four bytes of each 32-bit lane, those of y signed, plus `to`.
template <int N>
GYRE_INLINE RawOf<int32_t, N / 4> raw_add_products(RawOf<int32_t, N / 4> to, RawOf<uint8_t, N> x,
                                                   RawOf<uint8_t, N> y) {
  using Pairs = RawOf<short, N / 2>;
  using Unsigned = RawOf<uint16_t, N / 2>;
  const Pairs even = Pairs(Unsigned(x) & uint16_t(0xff)), odd = Pairs(Unsigned(x) >> 8);
  const Pairs signed_even = Pairs(Unsigned(y) << 8) >> 8, signed_odd = Pairs(y) >> 8;
  return to + raw_sum_pairs<N / 2>(even, signed_even) + raw_sum_pairs<N / 2>(odd, signed_odd);
}

#endif

}  // namespace
}  // namespace gyre
