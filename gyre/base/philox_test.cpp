#include "gyre/base/philox.h"

#include <gtest/gtest.h>

#include <thread>

namespace gyre {
namespace {

using Words = std::array<uint32_t, 4>;

// Random123-1.14, tests/kat_vectors, philox4x32 10.
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox(0, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox(~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, KnownAtCompileTime) {
  static_assert(philox(0, 0)[0] == 0x6627e8d5);
  static_assert(philox(0, 0, 1) != philox(0, 0));
}

TEST(Generator, OneAThreadFromSeedZero) {
  manual_seed(7);
  default_generator().offset = 3;
  std::thread([] {
    EXPECT_EQ(default_generator().seed, 0u);
    EXPECT_EQ(default_generator().offset, 0u);
  }).join();
  EXPECT_EQ(default_generator().seed, 7u);
  EXPECT_EQ(default_generator().offset, 3u);
  manual_seed(7);
  EXPECT_EQ(default_generator().offset, 0u);
  manual_seed(0);
}

}  // namespace
}  // namespace gyre
