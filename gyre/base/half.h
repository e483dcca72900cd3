#pragma once
#include <bit>
#include <cstdint>

namespace gyre {

/// Storage of IEEE binary16 and bfloat16. Arithmetic is done in float.
struct f16 {
  uint16_t bits = 0;
};
struct bf16 {
  uint16_t bits = 0;
};

/// Exact.
inline float to_float(bf16 x) { return std::bit_cast<float>(uint32_t{x.bits} << 16); }

/// Rounds to nearest even; NaN stays NaN, overflow becomes infinity.
inline bf16 to_bf16(float x) {
  uint32_t u = std::bit_cast<uint32_t>(x);
  if ((u & 0x7fffffffu) > 0x7f800000u) return {static_cast<uint16_t>((u >> 16) | 0x40)};
  return {static_cast<uint16_t>((u + 0x7fff + ((u >> 16) & 1)) >> 16)};
}

/// Exact.
inline float to_float(f16 x) {
  uint32_t sign = (x.bits & 0x8000u) << 16, body = x.bits & 0x7fffu;
  if (body >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | ((body & 0x3ffu) << 13));
  if (body >= 0x400u) return std::bit_cast<float>(sign | ((body << 13) + (112u << 23)));
  // subnormal: body * 2^-24 is exact in float
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(static_cast<float>(body) * 0x1p-24f));
}

/// Rounds to nearest even; NaN stays NaN, overflow becomes infinity, tiny values become subnormal.
inline f16 to_f16(float x) {
  uint32_t u = std::bit_cast<uint32_t>(x), sign = (u >> 16) & 0x8000u, body = u & 0x7fffffffu;
  if (body > 0x7f800000u) return {static_cast<uint16_t>(sign | 0x7e00u | ((body >> 13) & 0x1ffu))};
  if (body >= 0x477ff000u) return {static_cast<uint16_t>(sign | 0x7c00u)};
  if (body < 0x38800000u) {
    // adding 0.5 moves the value's last place to 2^-24, the hardware rounds to nearest even
    float shifted = std::bit_cast<float>(body) + 0.5f;
    return {static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u))};
  }
  uint32_t rounded = body + 0xfff + ((body >> 13) & 1);
  return {static_cast<uint16_t>(sign | ((rounded - (112u << 23)) >> 13))};
}

}  // namespace gyre
