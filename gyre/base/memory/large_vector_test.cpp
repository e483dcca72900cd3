#include "gyre/base/memory/large_vector.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

namespace gyre {
namespace {

TEST(LargeVector, KeepsItsElementsAsItBecomesLarge) {
  LargeVector<uint32_t> numbers;
  constexpr uint32_t kCount = 3U << 20;  // 12 MiB
  for (uint32_t i = 0; i < kCount; ++i) numbers.push_back(i);
  const LargeVector<uint32_t> copy = numbers;
  uint64_t sum = 0;
  for (const uint32_t n : copy) sum += n;
  EXPECT_EQ(sum, uint64_t{kCount} * (kCount - 1) / 2);
  numbers.resize(10);
  numbers.shrink_to_fit();
  EXPECT_EQ(numbers.back(), 9U);
  numbers = copy;
  EXPECT_EQ(numbers, copy);
}

TEST(LargeVector, RefusesWhatMemoryCannotHold) {
  LargeAllocator<uint64_t> allocator;
  EXPECT_THROW((void)allocator.allocate(SIZE_MAX / 2), std::bad_alloc);
  EXPECT_THROW((void)allocator.allocate(SIZE_MAX / 8), std::bad_alloc);
}

}  // namespace
}  // namespace gyre
