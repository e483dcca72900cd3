#include "gyre/kernel/copy.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/system/child_process.h"
#include "gyre/kernel/convert.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

constexpr std::byte kGuard{0xa5};

// Bytes around the target are unchanged for any size and alignment of a streaming copy.
TEST(Copy, StreamedBytesStayInTheirPlace) {
  for (int64_t more : {0, 1, 63, 64, 4097}) {
    for (size_t place : {size_t{64}, size_t{65}}) {
      auto n = static_cast<size_t>(kStreamBytes + more);
      Tensor from = empty(Shape{static_cast<int64_t>(n)}, DType::u8);
      std::byte* bytes = from.bytes();
      for (size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::byte>(i % 251);
      Tensor around = empty(Shape{static_cast<int64_t>(n + 4096)}, DType::u8);
      std::memset(around.bytes(), static_cast<int>(kGuard), n + 4096);
      View to(around.bytes() + place, from.shape(), from.strides(), DType::u8);
      EXPECT_FALSE(copy_elements(view_of(from), to).failed);
      EXPECT_EQ(std::memcmp(to.data, from.bytes(), n), 0) << more << " at " << place;
      for (size_t i = 0; i < place; ++i) ASSERT_EQ(around.bytes()[i], kGuard) << i;
      for (size_t i = place + n; i < n + 4096; ++i) ASSERT_EQ(around.bytes()[i], kGuard) << i - n;
    }
  }
}

// Squares at the edges overlap those before them; what lies between rows of the target stays.
TEST(Copy, BlocksOfEveryShapeAreTransposed) {
  for (size_t log2 = 0; log2 < 4; ++log2) {
    size_t size = size_t{1} << log2;
    for (size_t rows : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33}) {
      for (size_t columns : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33}) {
        size_t from_stride = rows * size + 5, to_stride = columns * size + 3;
        std::vector<std::byte> from(columns * from_stride), to(rows * to_stride, kGuard);
        for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i % 251);
        convert_tiles().transpose[log2](from.data(), static_cast<int64_t>(from_stride), to.data(),
                                        static_cast<int64_t>(to_stride), static_cast<int64_t>(rows),
                                        static_cast<int64_t>(columns));
        for (size_t r = 0; r < rows; ++r) {
          const std::byte* row = to.data() + r * to_stride;
          for (size_t c = 0; c < columns; ++c) {
            ASSERT_EQ(std::memcmp(row + c * size, from.data() + c * from_stride + r * size, size),
                      0)
                << size << " bytes, " << rows << " by " << columns << " at " << r << ", " << c;
          }
          for (size_t i = columns * size; i < to_stride; ++i) ASSERT_EQ(row[i], kGuard);
        }
      }
    }
  }
}

// Rows of a few elements go column by column, from last to first too.
TEST(Copy, ManyShortRowsOfAnyStrideArrive) {
  for (int64_t rows : {33, 512, 1500}) {
    for (int64_t columns : {1, 2, 5, 8, 9}) {
      for (int64_t step : {0, 1, 3}) {
        Tensor from = empty(Shape{rows * 40}, DType::i32);
        Tensor to = empty(Shape{rows, columns}, DType::i32);
        for (int64_t i = 0; i < from.numel(); ++i) from.data<int32_t>()[i] = static_cast<int>(i);
        View x(from.bytes(), {rows, columns}, {columns * step + 1, step}, DType::i32);
        EXPECT_FALSE(copy_elements(x, view_of(to)).failed);
        for (int64_t i = 0; i < rows * columns; ++i) {
          int64_t place = i / columns * x.strides[0] + i % columns * step;
          ASSERT_EQ(to.data<int32_t>()[i], place) << rows << " by " << columns << " step " << step;
        }
        EXPECT_FALSE(copy_elements(reversed(reversed(x, 0), 1), view_of(to)).failed);
        int64_t last = (rows - 1) * x.strides[0] + (columns - 1) * step;
        EXPECT_EQ(to.data<int32_t>()[0], last);
        EXPECT_EQ(to.data<int32_t>()[rows * columns - 1], 0);
      }
    }
  }
}

TEST(Copy, DenseViewsStandInMemoryBehindOneAnother) {
  for (int64_t n : {2, 8, 15, 16, 17}) {
    Tensor from = empty(Shape{2 * n}, DType::f32), room = empty(Shape{1024}, DType::u8);
    for (int64_t i = 0; i < 2 * n; ++i) from.data<float>()[i] = static_cast<float>(i);
    std::byte* memory = room.bytes();
    View dense = view_of(from), every_other = slice_of(dense, 0, 1, 2, n), wide = dense;
    EXPECT_FALSE(make_dense(dense, DType::f32, memory).failed);
    EXPECT_EQ(dense.data, from.bytes());
    EXPECT_EQ(memory, room.bytes());
    EXPECT_FALSE(make_dense(every_other, DType::f32, memory).failed);
    EXPECT_EQ(memory - room.bytes(), (n * 4 + 63) / 64 * 64);
    EXPECT_FALSE(make_dense(wide, DType::f64, memory).failed);
    EXPECT_EQ(memory - room.bytes(), (n * 4 + 63) / 64 * 64 + (n * 16 + 63) / 64 * 64);
    EXPECT_EQ(reinterpret_cast<const float*>(every_other.data)[n - 1], 2 * n - 1);
    EXPECT_EQ(reinterpret_cast<const double*>(wide.data)[2 * n - 1], 2 * n - 1);
  }
}

// GYRE_ISA is read once per process, so this test runs itself in a child process.
TEST(Copy, AnInstructionSetThatCannotBeHadIsAnError) {
  const char* given = std::getenv("GYRE_ISA");
  if (given && std::string_view(given) == "none") {
    Tensor from = empty(Shape{4}, DType::f64), to = empty(Shape{4}, DType::f32);
    std::memset(from.bytes(), 0, 4 * sizeof(double));
    std::memset(to.bytes(), 0xa5, 4 * sizeof(float));
    EXPECT_EQ(code_of([&] { (void)copy_elements(view_of(from), view_of(to)); }), Code::value);
    EXPECT_EQ(to.bytes()[0], kGuard);
    EXPECT_EQ(code_of([&] { (void)zero_elements(view_of(to)); }), Code::value);
    return;
  }
  const std::string before = given ? given : "";
  ::setenv("GYRE_ISA", "none", 1);
  const std::string self[] = {std::filesystem::read_symlink("/proc/self/exe").string(),
                              "--gtest_filter=Copy.AnInstructionSetThatCannotBeHadIsAnError"};
  ChildProcess child(self);
  given ? ::setenv("GYRE_ISA", before.c_str(), 1) : ::unsetenv("GYRE_ISA");
  const std::string said = child.read_all();
  EXPECT_EQ(child.wait(), 0) << said;
}

}  // namespace
}  // namespace gyre
