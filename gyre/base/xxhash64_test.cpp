#include "gyre/base/xxhash64.h"

#include <gtest/gtest.h>

#include <vector>

namespace gyre {
namespace {

std::vector<std::byte> pattern(size_t size) {
  std::vector<std::byte> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + 1);
  return bytes;
}

/// Values of the reference implementation (python-xxhash) for the same bytes.
TEST(Xxhash64, AgreesWithTheReference) {
  const struct {
    size_t size;
    uint64_t hash;
  } kKnown[] = {{0, 0xef46db3751d8e999},   {1, 0x8a4127811b21e730},   {3, 0xb6e6c910c2fd373a},
                {4, 0x22eda2cf6af4c124},   {7, 0x34084d91a233a751},   {8, 0xc6f1803a5e0b3222},
                {12, 0x9178b724dce384c0},  {31, 0x6ab1c40e29f50073},  {32, 0x5a0756fbe9ecd3d1},
                {33, 0xdc50cdc37bb9c183},  {63, 0x10dd94885c71894a},  {64, 0x90083da9cdb9d795},
                {100, 0xd248bfc5208b0b16}, {1000, 0x6be03acbf959c413}};
  for (const auto& [size, hash] : kKnown) {
    Xxhash64 sum;
    sum.update(pattern(size));
    EXPECT_EQ(sum.digest(), hash) << size;
  }
  Xxhash64 seeded(2654435761);
  seeded.update(pattern(1000));
  EXPECT_EQ(seeded.digest(), 0x24399eecc271c158);
}

TEST(Xxhash64, CutsDoNotMatter) {
  const std::vector<std::byte> bytes = pattern(300);
  const std::span<const std::byte> all(bytes);
  Xxhash64 whole;
  whole.update(all);
  for (size_t step = 1; step <= 100; ++step) {
    Xxhash64 parts;
    for (size_t at = 0; at < all.size(); at += step) {
      parts.update(all.subspan(at, std::min(step, all.size() - at)));
      parts.update(all.first(0));
    }
    ASSERT_EQ(parts.digest(), whole.digest()) << step;
  }
}

}  // namespace
}  // namespace gyre
