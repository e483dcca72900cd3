#include "gyre/base/system/memory.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace gyre
