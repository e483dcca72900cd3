// The vector conversions of every instruction set against the scalar ones of base/half.h: all 2^16
// values widened, and narrowed every float at, between or next to 16-bit values.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "gyre/base/cpu.h"
#include "gyre/base/half.h"
#include "gyre/simd/math_table.h"

namespace gyre {
namespace {

std::vector<const MathTable*> tables() {
  std::vector<const MathTable*> r = {&math_tiles_v2};
#if defined(__x86_64__)
  if (cpu_features().best >= v3) r.push_back(&math_tiles_v3);
  if (cpu_features().best >= v4) r.push_back(&math_tiles_v4);
#endif
  return r;
}

/// By the definition of the formats, without bit tricks: value = fraction * 2^exponent.
float value_of(uint16_t h, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int e = (h >> fraction_bits) & ((1 << exponent_bits) - 1);
  const int m = h & ((1 << fraction_bits) - 1);
  float r;
  if (e == (1 << exponent_bits) - 1)
    r = m ? NAN : INFINITY;
  else
    r = std::ldexp(float(e ? m + (1 << fraction_bits) : m), (e ? e : 1) - bias - fraction_bits);
  return h >> 15 ? -r : r;
}

template <class Up>
void check_up(Up up, int exponent_bits, int fraction_bits) {
  std::vector<uint16_t> h(1 << 16);
  std::vector<float> got(h.size());
  for (size_t i = 0; i < h.size(); ++i) h[i] = uint16_t(i);
  up(h.data(), got.data(), int64_t(h.size()));
  for (size_t i = 0; i < h.size(); ++i) {
    float want = value_of(h[i], exponent_bits, fraction_bits);
    if (std::isnan(want))
      ASSERT_TRUE(std::isnan(got[i])) << i;
    else
      ASSERT_EQ(std::bit_cast<uint32_t>(got[i]), std::bit_cast<uint32_t>(want)) << i;
  }
}

TEST(Convert16, WideningIsExact) {
  for (const MathTable* t : tables()) {
    check_up(t->f16_to_f32, 5, 10);
    check_up(t->bf16_to_f32, 8, 7);
  }
}

/// Floats around every rounding boundary, and a sweep of all exponents.
std::vector<float> hard_floats(float (*up)(uint16_t)) {
  std::vector<float> r;
  auto around = [&](float x) {
    uint32_t b = std::bit_cast<uint32_t>(x);
    for (uint32_t d : {0u, 1u, ~0u}) r.push_back(std::bit_cast<float>(b + d));
  };
  for (uint32_t h = 0; h < 0x10000; ++h) {
    float a = up(uint16_t(h)), b = up(uint16_t(h + 1));
    around(a);
    if (std::isfinite(a)) around(std::isfinite(b) ? a / 2 + b / 2 : a * (1 + 0x1p-11f));
  }
  for (uint64_t b = 0; b < uint64_t(1) << 32; b += 4099)
    r.push_back(std::bit_cast<float>(uint32_t(b)));
  return r;
}

template <class Down, class Scalar>
void check_down(const std::vector<float>& x, Down down, Scalar scalar) {
  std::vector<uint16_t> got(x.size());
  down(x.data(), got.data(), int64_t(x.size()));
  for (size_t i = 0; i < x.size(); ++i) {
    uint16_t want = scalar(x[i]).bits;
    ASSERT_EQ(got[i], want) << "float bits " << std::hex << std::bit_cast<uint32_t>(x[i]);
  }
}

TEST(Convert16, NarrowingRoundsToNearestEven) {
  auto f16s = hard_floats([](uint16_t h) { return to_float(f16{h}); });
  auto bf16s = hard_floats([](uint16_t h) { return to_float(bf16{h}); });
  for (const MathTable* t : tables()) {
    check_down(f16s, t->f32_to_f16, [](float x) { return to_f16(x); });
    check_down(bf16s, t->f32_to_bf16, [](float x) { return to_bf16(x); });
  }
}

TEST(Convert16, TailsRunTheSameLanes) {
  for (const MathTable* t : tables())
    for (int64_t n = 0; n < 40; ++n) {
      std::vector<float> x(size_t(n) + 1, 1.0f);
      std::vector<uint16_t> h(size_t(n) + 1, 0xabcd);
      t->f32_to_bf16(x.data(), h.data(), n);
      for (int64_t i = 0; i < n; ++i) ASSERT_EQ(h[size_t(i)], 0x3f80);
      EXPECT_EQ(h[size_t(n)], 0xabcd);
    }
}

}  // namespace
}  // namespace gyre
