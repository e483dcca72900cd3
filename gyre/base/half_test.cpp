#include "gyre/base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gyre {
namespace {

// Every 16-bit pattern, and the midpoint between neighbours, which must round to even.
template <class H, class Round>
void every_pattern(uint32_t infinity, Round round) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    H h{static_cast<uint16_t>(bits)};
    float x = to_float(h);
    uint32_t body = bits & 0x7fff;
    if (body > infinity) {
      ASSERT_TRUE(std::isnan(x)) << bits;
      ASSERT_TRUE(std::isnan(to_float(round(x)))) << bits;
      continue;
    }
    ASSERT_EQ(round(x).bits, bits);
    ASSERT_EQ(std::signbit(x), bits >= 0x8000) << bits;
    if (body + 1 >= infinity) continue;
    float next = to_float(H{static_cast<uint16_t>(bits + 1)});
    ASSERT_GT(std::fabs(next), std::fabs(x)) << bits;
    auto middle = static_cast<float>((static_cast<double>(x) + static_cast<double>(next)) / 2);
    ASSERT_EQ(round(middle).bits, bits + (bits & 1)) << bits;
    ASSERT_EQ(round(std::nextafter(middle, x)).bits, bits);
    ASSERT_EQ(round(std::nextafter(middle, next)).bits, bits + 1);
  }
}

TEST(Half, EveryF16PatternAndEveryTie) {
  every_pattern<f16>(0x7c00, [](float x) { return to_f16(x); });
}
TEST(Half, EveryBf16PatternAndEveryTie) {
  every_pattern<bf16>(0x7f80, [](float x) { return to_bf16(x); });
}

TEST(Half, ValuesAndOverflow) {
  EXPECT_EQ(to_float(f16{0x3c00}), 1.0f);
  EXPECT_EQ(to_float(f16{0x0001}), 0x1p-24f);
  EXPECT_EQ(to_float(f16{0x7bff}), 65504.0f);
  EXPECT_EQ(to_f16(65519.0f).bits, 0x7bff);
  EXPECT_EQ(to_f16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(to_f16(-65520.0f).bits, 0xfc00);
  EXPECT_EQ(to_f16(0x1p-26f).bits, 0);
  EXPECT_EQ(to_f16(-0.0f).bits, 0x8000);
  EXPECT_EQ(to_float(bf16{0x3f80}), 1.0f);
  EXPECT_EQ(to_bf16(std::numeric_limits<float>::max()).bits, 0x7f80);
  EXPECT_EQ(to_bf16(std::numeric_limits<float>::infinity()).bits, 0x7f80);
}

}  // namespace
}  // namespace gyre
