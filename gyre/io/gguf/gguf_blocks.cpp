#include "gyre/io/gguf/gguf_blocks.h"

#include <bit>
#include <cstring>

#include "gyre/base/half.h"

namespace gyre::gguf {
namespace {

float half_at(const uint8_t* from) {
  return to_float(f16{static_cast<uint16_t>(from[0] | from[1] << 8)});
}

uint32_t word_at(const uint8_t* from) {
  return from[0] | uint32_t{from[1]} << 8 | uint32_t{from[2]} << 16 | uint32_t{from[3]} << 24;
}

// Blocks of 32: number i is in the lower half of byte i, or, from 16 on, in the upper half of byte
// i - 16; `high` has a fifth bit of each.
int nibble(const uint8_t* from, int i) { return i < 16 ? from[i] & 15 : from[i - 16] >> 4; }
int fifth_bit(uint32_t high, int i) { return static_cast<int>(high >> i & 1) << 4; }

// The scales and minima of eight groups in 12 bytes, six bits each: the first four of both have
// bytes of their own, whose upper two bits belong to the last four.
struct SixBits {
  uint8_t scale, least;
};
SixBits six_bits(const uint8_t* from, int group) {
  if (group < 4)
    return {static_cast<uint8_t>(from[group] & 63), static_cast<uint8_t>(from[group + 4] & 63)};
  const uint8_t low = from[group + 4];
  return {static_cast<uint8_t>((low & 15) | (from[group - 4] >> 6 << 4)),
          static_cast<uint8_t>(low >> 4 | (from[group] >> 6 << 4))};
}

// The 16 levels of IQ4_NL and IQ4_XS.
constexpr int8_t kLevels[] = {-127, -104, -83, -65, -49, -35, -22, -10,
                              1,    13,   25,  38,  53,  69,  89,  113};
// E2M1, doubled.
constexpr int8_t kSmallFloats[] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

float number(int x) { return static_cast<float>(x); }

}  // namespace

void decode_q4_0(const uint8_t* from, float* to) {
  const float scale = half_at(from);
  for (int i = 0; i < 32; ++i) to[i] = scale * number(nibble(from + 2, i) - 8);
}

void decode_q4_1(const uint8_t* from, float* to) {
  const float scale = half_at(from), least = half_at(from + 2);
  for (int i = 0; i < 32; ++i) to[i] = scale * number(nibble(from + 4, i)) + least;
}

void decode_q5_0(const uint8_t* from, float* to) {
  const float scale = half_at(from);
  const uint32_t high = word_at(from + 2);
  for (int i = 0; i < 32; ++i)
    to[i] = scale * number((nibble(from + 6, i) | fifth_bit(high, i)) - 16);
}

void decode_q5_1(const uint8_t* from, float* to) {
  const float scale = half_at(from), least = half_at(from + 2);
  const uint32_t high = word_at(from + 4);
  for (int i = 0; i < 32; ++i)
    to[i] = scale * number(nibble(from + 8, i) | fifth_bit(high, i)) + least;
}

void decode_q8_0(const uint8_t* from, float* to) {
  const float scale = half_at(from);
  for (int i = 0; i < 32; ++i) to[i] = number(static_cast<int8_t>(from[2 + i])) * scale;
}

// 16 bytes with scale and minimum of 16 numbers each, then two bits a number, then the two factors.
void decode_q2_k(const uint8_t* from, float* to) {
  const uint8_t* bits = from + 16;
  const float scale = half_at(from + 80), least = half_at(from + 82);
  for (int group = 0; group < 16; ++group) {
    const float d = scale * number(from[group] & 15), m = least * number(from[group] >> 4);
    const uint8_t* own = bits + group / 8 * 32 + group % 2 * 16;
    const int shift = group / 2 % 4 * 2;
    for (int i = 0; i < 16; ++i) *to++ = d * number(own[i] >> shift & 3) - m;
  }
}

// A third bit of each number (0: minus 4), two bits of each, 12 bytes with a 6-bit scale of 16
// numbers each, the factor.
void decode_q3_k(const uint8_t* from, float* to) {
  const uint8_t *bits = from + 32, *scales = from + 96;
  const float factor = half_at(from + 108);
  for (int group = 0; group < 16; ++group) {
    const int low = group < 8 ? scales[group] & 15 : scales[group - 8] >> 4;
    const int high = scales[8 + group % 4] >> (group / 4 * 2) & 3;
    const float d = factor * number((low | high << 4) - 32);
    const int at = group % 2 * 16, shift = group / 2 % 4 * 2;
    const uint8_t *own = bits + group / 8 * 32 + at, *third = from + at;
    for (int i = 0; i < 16; ++i) {
      const int below = third[i] >> (group / 2) & 1 ? 0 : 4;
      *to++ = d * number((own[i] >> shift & 3) - below);
    }
  }
}

void decode_q4_k(const uint8_t* from, float* to) {
  const float scale = half_at(from), least = half_at(from + 2);
  for (int group = 0; group < 8; ++group) {
    const SixBits six = six_bits(from + 4, group);
    const float d = scale * number(six.scale), m = least * number(six.least);
    const uint8_t* own = from + 16 + group / 2 * 32;
    const int shift = group % 2 * 4;
    for (int i = 0; i < 32; ++i) *to++ = d * number(own[i] >> shift & 15) - m;
  }
}

void decode_q5_k(const uint8_t* from, float* to) {
  const float scale = half_at(from), least = half_at(from + 2);
  const uint8_t* fifth = from + 16;
  for (int group = 0; group < 8; ++group) {
    const SixBits six = six_bits(from + 4, group);
    const float d = scale * number(six.scale), m = least * number(six.least);
    const uint8_t* own = from + 48 + group / 2 * 32;
    const int shift = group % 2 * 4;
    for (int i = 0; i < 32; ++i)
      *to++ = d * number((own[i] >> shift & 15) | (fifth[i] >> group & 1) << 4) - m;
  }
}

// Four bits a number, two more, an 8-bit scale of 16 numbers each, the factor.
void decode_q6_k(const uint8_t* from, float* to) {
  const uint8_t *scales = from + 192, *high = from + 128;
  const float factor = half_at(from + 208);
  for (int group = 0; group < 16; ++group) {
    const float d = factor * number(static_cast<int8_t>(scales[group]));
    const int half = group / 8, row = group / 2 % 4;  // four rows of 32 numbers in each half
    const uint8_t* low = from + half * 64 + row % 2 * 32 + group % 2 * 16;
    const uint8_t* own = high + half * 32 + group % 2 * 16;
    for (int i = 0; i < 16; ++i) {
      const int four = row < 2 ? low[i] & 15 : low[i] >> 4;
      *to++ = d * number((four | (own[i] >> row * 2 & 3) << 4) - 32);
    }
  }
}

void decode_iq4_nl(const uint8_t* from, float* to) {
  const float scale = half_at(from);
  for (int i = 0; i < 32; ++i) to[i] = scale * number(kLevels[nibble(from + 2, i)]);
}

// The factor, the upper two bits of eight scales, their lower four bits, blocks of 32 numbers.
void decode_iq4_xs(const uint8_t* from, float* to) {
  const float factor = half_at(from);
  const int highs = from[2] | from[3] << 8;
  for (int group = 0; group < 8; ++group) {
    const int low = from[4 + group / 2] >> group % 2 * 4 & 15, high = highs >> group * 2 & 3;
    const float d = factor * number((low | high << 4) - 32);
    for (int i = 0; i < 32; ++i) *to++ = d * number(kLevels[nibble(from + 8 + group * 16, i)]);
  }
}

void decode_mxfp4(const uint8_t* from, float* to) {
  const uint32_t e = from[0];  // 2^(e - 128), since the table is doubled
  const auto scale = std::bit_cast<float>(e < 2 ? uint32_t{0x00200000} << e : (e - 1) << 23);
  for (int i = 0; i < 32; ++i) to[i] = scale * number(kSmallFloats[nibble(from + 1, i)]);
}

}  // namespace gyre::gguf
