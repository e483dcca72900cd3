#pragma once
// Conversion of arrays of f16 (IEEE binary16) and bf16 to float vectors and back. Rounds to
// nearest, ties to even; overflow gives infinity; subnormals are exact; NaN stays NaN (made quiet,
// the upper bits of its payload kept). Bitwise equal on every instruction set.
#include "gyre/simd/vec.h"

namespace gyre {
namespace {

using FloatLanes = Vec<float>;  ///< read or written by one step of the loops below
using IntLanes = Vec<int32_t>;

/// kWidth<float> 16-bit words as integers in 0 .. 65535.
GYRE_INLINE IntLanes load_u16(const uint16_t* p) {
#if GYRE_RAW_SCALAR
  return IntLanes::of(*p);
#else
  RawOf<uint16_t, IntLanes::width> h;
  __builtin_memcpy(&h, p, sizeof h);
  return IntLanes::from(__builtin_convertvector(h, IntLanes::R));
#endif
}
GYRE_INLINE void store_u16(IntLanes x, uint16_t* p) {
#if GYRE_RAW_SCALAR
  *p = uint16_t(x.v);
#else
  auto h = __builtin_convertvector(x.v, RawOf<uint16_t, IntLanes::width>);
  __builtin_memcpy(p, &h, sizeof h);
#endif
}

GYRE_INLINE FloatLanes load_bf16(const uint16_t* p) {
  return FloatLanes::from_bits((load_u16(p) << 16).v);
}

GYRE_INLINE void store_bf16(FloatLanes x, uint16_t* p) {
  using J = IntLanes;
  J b = J::from(bits(x));
  J upper = (b >> 16) & J::of(0xffff);
  J rounded = ((b + (J::of(0x7fff) + (upper & J::of(1)))) >> 16) & J::of(0xffff);
  auto nan = (b & J::of(0x7fffffff)) > J::of(0x7f800000);
  store_u16(select(nan, upper | J::of(0x40), rounded), p);
}

GYRE_INLINE FloatLanes load_f16(const uint16_t* p) {
#if defined(__F16C__) && GYRE_VBYTES == 32
  RawOf<int16_t, 8> h;
  __builtin_memcpy(&h, p, sizeof h);
  return FloatLanes::from(__builtin_ia32_vcvtph2ps256(h));
#elif defined(__AVX512F__) && GYRE_VBYTES == 64
  RawOf<int16_t, 16> h;
  __builtin_memcpy(&h, p, sizeof h);
  return FloatLanes::from(__builtin_ia32_vcvtph2ps512_mask(h, FloatLanes(0.0).v, (short)-1, 4));
#else
  using J = IntLanes;
  J h = load_u16(p);
  J magnitude = (h & J::of(0x7fff)) << 13;
  // The exponent is 112 too small; the product also makes subnormals normal.
  FloatLanes finite = FloatLanes::from_bits(magnitude.v) * 0x1p112;
  J special = magnitude + J::of(112 << 23) + J::of(112 << 23);  // inf and NaN: exponent 255
  J nan_quiet = select(magnitude > J::of(0x0f800000), J::of(0x00400000), J::of(0));
  J b = select(magnitude < J::of(0x0f800000), J::from(bits(finite)),
               (special & J::of(0x007fffff)) | J::of(0x7f800000) | nan_quiet);
  return FloatLanes::from_bits((b | ((h & J::of(0x8000)) << 16)).v);
#endif
}

GYRE_INLINE void store_f16(FloatLanes x, uint16_t* p) {
#if defined(__F16C__) && GYRE_VBYTES == 32
  auto h = __builtin_ia32_vcvtps2ph256(x.v, 0);
  __builtin_memcpy(p, &h, sizeof h);
#elif defined(__AVX512F__) && GYRE_VBYTES == 64
  RawOf<int16_t, 16> zero{};
  auto h = __builtin_ia32_vcvtps2ph512_mask(x.v, 0, zero, (short)-1);
  __builtin_memcpy(p, &h, sizeof h);
#else
  using J = IntLanes;
  J b = J::from(bits(x));
  J a = b & J::of(0x7fffffff);
  J odd = (a >> 13) & J::of(1);
  J normal = (a + odd + J::of(0xfff - (112 << 23))) >> 13;
  // The spacing of floats at 1/2 is that of subnormal f16: the sum rounds.
  J subnormal = J::from(bits(FloatLanes::from_bits(a.v) + 0.5)) - J::of(0x3f000000);
  J h = select(a < J::of(0x38800000), subnormal, normal);
  h = select(a < J::of(0x47800000), h, J::of(0x7c00));
  h = select(a > J::of(0x7f800000), ((a >> 13) & J::of(0x3ff)) | J::of(0x7e00), h);
  store_u16(h | ((b >> 16) & J::of(0x8000)), p);
#endif
}

// Arrays. Tails are processed by the same code through a padded copy.
#define GYRE_CONVERT16(name, From, To, LOAD, STORE)                          \
  GYRE_TILE inline void name(const From* from, To* to, int64_t n) noexcept { \
    constexpr int kStep = kWidth<float>;                                     \
    int64_t i = 0;                                                           \
    for (; i + kStep <= n; i += kStep) STORE(LOAD(from + i), to + i);        \
    if (i < n) {                                                             \
      From a[kStep] = {};                                                    \
      To b[kStep];                                                           \
      __builtin_memcpy(a, from + i, size_t(n - i) * sizeof(From));           \
      STORE(LOAD(a), b);                                                     \
      __builtin_memcpy(to + i, b, size_t(n - i) * sizeof(To));               \
    }                                                                        \
  }
GYRE_INLINE FloatLanes load_f32(const float* p) { return FloatLanes::load(p); }
GYRE_INLINE void store_f32(FloatLanes x, float* p) { x.store(p); }
/// n values of f16 to f32, and so on. Arrays may not overlap; any alignment of the element type.
GYRE_CONVERT16(f16_to_f32, uint16_t, float, load_f16, store_f32)
GYRE_CONVERT16(bf16_to_f32, uint16_t, float, load_bf16, store_f32)
GYRE_CONVERT16(f32_to_f16, float, uint16_t, load_f32, store_f16)
GYRE_CONVERT16(f32_to_bf16, float, uint16_t, load_f32, store_bf16)
#undef GYRE_CONVERT16

}  // namespace
}  // namespace gyre
