#include "gyre/kernel/copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "gyre/kernel/convert.h"

namespace gyre {
namespace {

constexpr std::byte kGuard{0xa5};

// Bytes around the target must stay, whatever the size and the place of a copy past the caches.
TEST(Copy, StreamedBytesStayInTheirPlace) {
  for (int64_t more : {0, 1, 63, 64, 4097}) {
    for (size_t place : {size_t{64}, size_t{65}}) {
      auto n = static_cast<size_t>(kStreamBytes + more);
      Tensor from = empty(Shape{static_cast<int64_t>(n)}, DType::u8);
      for (size_t i = 0; i < n; ++i) from.bytes()[i] = static_cast<std::byte>(i % 251);
      Tensor around = empty(Shape{static_cast<int64_t>(n + 4096)}, DType::u8);
      std::memset(around.bytes(), static_cast<int>(kGuard), n + 4096);
      View to(around.bytes() + place, from.shape(), from.strides(), DType::u8);
      copy_elements(view_of(from), to);
      EXPECT_EQ(std::memcmp(to.data, from.bytes(), n), 0) << more << " at " << place;
      for (size_t i = 0; i < place; ++i) ASSERT_EQ(around.bytes()[i], kGuard) << i;
      for (size_t i = place + n; i < n + 4096; ++i) ASSERT_EQ(around.bytes()[i], kGuard) << i - n;
    }
  }
}

}  // namespace
}  // namespace gyre
