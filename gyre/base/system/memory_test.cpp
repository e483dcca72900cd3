#include "gyre/base/system/memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace gyre {
namespace {

TEST(Memory, SizeText) {
  EXPECT_EQ(size_text(0), "0 B");
  EXPECT_EQ(size_text(999), "999 B");
  EXPECT_EQ(size_text(1500), "1.5 KB");
  EXPECT_EQ(size_text(12.4e6), "12 MB");
  EXPECT_EQ(size_text(9.99e9), "10 GB");
  EXPECT_EQ(size_text(999.7e9), "1.0 TB");
  EXPECT_EQ(size_text(4e19), "40000 PB");
}

TEST(Memory, MachineMemoryExceedsTheProcess) { EXPECT_GT(machine_memory(), resident_bytes()); }

TEST(Memory, ThePeakStaysWhenMemoryIsFreed) {
  constexpr size_t kBytes = size_t{64} << 20;
  const size_t before = resident_bytes();
  ASSERT_GT(before, 0u);
  for (const char c : std::vector<char>(kBytes, 'x')) ASSERT_EQ(c, 'x');
  EXPECT_GE(peak_resident_bytes(), before + kBytes / 2);
  EXPECT_GE(peak_resident_bytes(), resident_bytes());
  reset_peak_resident();  // pages of both reads may come between
  EXPECT_LE(peak_resident_bytes(), resident_bytes() + (size_t{4} << 20));
}

}  // namespace
}  // namespace gyre
