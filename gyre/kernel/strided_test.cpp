#include "gyre/kernel/strided.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "gyre/ops/elementwise/elementwise.h"

namespace gyre {
namespace {

struct Layout {
  const char* name;
  Shape shape, strides;
};

// Every way an operand of [6, 5, 300] can be walked: in order, turned, in steps, broadcast.
const Layout kLayouts[] = {
    {"contiguous", {6, 5, 300}, {1500, 300, 1}},
    {"rows", {6, 5, 300}, {3000, 400, 1}},
    {"reversed", {6, 5, 300}, {1, 6, 30}},
    {"stepped", {6, 5, 300}, {3000, 600, 2}},
    {"one", {1, 1, 1}, {1, 1, 1}},
    {"row", {300}, {1}},
    {"column", {5, 1}, {7, 1}},
    {"outer", {6, 1, 1}, {2, 9, 9}},
    {"zero strides", {6, 5, 300}, {0, 1, 0}},
};
const Shape kSpace{6, 5, 300};

int64_t place(const Layout& l, int64_t i) {
  int64_t at[] = {i / 1500, i / 300 % 5, i % 300}, p = 0;
  int shift = 3 - l.shape.rank;
  for (int k = 0; k < l.shape.rank; ++k) {
    if (l.shape[k] != 1) p += at[k + shift] * l.strides[k];
  }
  return p;
}

template <class T>
View view(std::vector<T>& memory, const Layout& l) {
  return {reinterpret_cast<std::byte*>(memory.data()), l.shape, l.strides, kDTypeOf<T>};
}

template <class T>
void reads_every_layout(Compute compute) {
  std::vector<T> memory(40000);
  for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<T>(i % 97);
  for (const Layout& l : kLayouts) {
    View v = view(memory, l);
    const View* views[] = {&v};
    StridedLoop loop(kSpace, views);
    ASSERT_EQ(loop.size(), 9000) << l.name;
    for (int64_t begin : {0, 1, 299, 300, 1499, 4321}) {
      for (int64_t n : {1, 3, 64, 299, 301, 512}) {
        Reader reader(loop, 0, compute);
        alignas(64) double buffer[kTile];
        const void* got = reader.read(begin, n, buffer);
        for (int64_t i = 0; i < n; ++i) {
          double x =
              compute == Compute::f64   ? static_cast<const double*>(got)[i]
              : compute == Compute::f32 ? static_cast<double>(static_cast<const float*>(got)[i])
              : compute == Compute::i32 ? static_cast<const int32_t*>(got)[i]
                                        : static_cast<double>(static_cast<const int64_t*>(got)[i]);
          auto want = static_cast<double>(memory[static_cast<size_t>(place(l, begin + i))]);
          ASSERT_EQ(x, want) << l.name << " " << begin << " + " << i << " of " << n;
        }
      }
    }
  }
}

TEST(Reader, EveryLayoutInTheStoredType) {
  reads_every_layout<float>(Compute::f32);
  reads_every_layout<double>(Compute::f64);
  reads_every_layout<int32_t>(Compute::i32);
  reads_every_layout<int64_t>(Compute::i64);
  reads_every_layout<uint64_t>(Compute::u64);
}

TEST(Reader, EveryLayoutConverted) {
  reads_every_layout<float>(Compute::f64);
  reads_every_layout<double>(Compute::f32);
  reads_every_layout<uint8_t>(Compute::i32);
  reads_every_layout<int8_t>(Compute::f32);
  reads_every_layout<uint32_t>(Compute::i64);
  reads_every_layout<uint16_t>(Compute::i32);
  reads_every_layout<uint64_t>(Compute::i64);
  reads_every_layout<uint8_t>(Compute::u64);
  reads_every_layout<int16_t>(Compute::f64);
}

TEST(Reader, ConsecutiveRangesOfOneReader) {
  std::vector<float> memory(40000);
  for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(i);
  for (const Layout& l : kLayouts) {
    View v = view(memory, l);
    const View* views[] = {&v};
    StridedLoop loop(kSpace, views);
    Reader reader(loop, 0, Compute::f32);
    alignas(64) float buffer[kTile];
    for (int64_t i = 0; i < 9000; i += kTile) {
      int64_t n = std::min(kTile, 9000 - i);
      const auto* got = static_cast<const float*>(reader.read(i, n, buffer));
      for (int64_t j = 0; j < n; ++j) {
        ASSERT_EQ(got[j], memory[static_cast<size_t>(place(l, i + j))]) << l.name << " " << i + j;
      }
    }
  }
}

template <class T>
void writes_every_layout(Compute compute) {
  for (const Layout& l : kLayouts) {
    if (l.shape.rank != 3 || numel(l.shape) != 9000 || l.strides[0] == 0) continue;
    std::vector<T> memory(40000, static_cast<T>(77)), want = memory;
    View v = view(memory, l);
    const View* views[] = {&v};
    StridedLoop loop(kSpace, views);
    Writer writer(loop, 0, compute);
    for (int64_t begin = 0; begin < 9000; begin += 500) {
      alignas(64) double buffer[kTile];
      void* to = writer.target(begin, buffer);
      for (int64_t i = 0; i < 500; ++i) {
        double x = static_cast<double>((begin + i) % 91);
        if (compute == Compute::f64) static_cast<double*>(to)[i] = x;
        if (compute == Compute::f32) static_cast<float*>(to)[i] = static_cast<float>(x);
        if (compute == Compute::i32) static_cast<int32_t*>(to)[i] = static_cast<int32_t>(x);
        want[static_cast<size_t>(place(l, begin + i))] = static_cast<T>((begin + i) % 91);
      }
      writer.commit(begin, 500, to);
    }
    ASSERT_TRUE(memory == want) << l.name;  // nothing between the elements is touched
  }
}

TEST(Writer, EveryLayoutAndNothingElse) {
  writes_every_layout<float>(Compute::f32);
  writes_every_layout<double>(Compute::f64);
  writes_every_layout<double>(Compute::f32);
  writes_every_layout<uint8_t>(Compute::i32);
}

TEST(StridedLoop, MergesWhatLiesInOneStride) {
  std::vector<float> memory(9000);
  View a = view(memory, kLayouts[0]), b = view(memory, kLayouts[2]);
  const View* one[] = {&a};
  EXPECT_EQ(StridedLoop(kSpace, one).rank, 1);
  const View* two[] = {&a, &b};
  EXPECT_EQ(StridedLoop(kSpace, two).rank, 3);
  const View* reversed[] = {&b};
  StridedLoop loop(Shape{1, 6, 1, 5, 300, 1}, reversed);
  EXPECT_EQ(loop.size(), 9000);
}

TEST(StridedLoop, EmptySpaceOfSizesThatCannotBeMultiplied) {
  const Shape huge{int64_t{1} << 40, int64_t{1} << 40, 0};
  Tensor x = empty(huge);
  View v = view_of(x);
  const View* views[] = {&v, &v};
  StridedLoop loop(huge, views);
  EXPECT_EQ(loop.size(), 0);
  EXPECT_EQ(loop.rank, 1);
  EXPECT_EQ((x + x).shape(), huge);
}

// Large enough for non-temporal stores, with a partial last tile.
TEST(Pointwise, StreamedResultsAreWhole) {
  const int64_t n = (int64_t{3} << 20) + 5;
  Tensor x = empty(Shape{n}), y = empty(Shape{1});
  for (int64_t i = 0; i < n; ++i) x.data<float>()[i] = static_cast<float>(i % 1000);
  *y.data<float>() = 2;
  Tensor z = x * y;
  for (int64_t i = 0; i < n; ++i)
    ASSERT_EQ(z.data<float>()[i], 2.0f * static_cast<float>(i % 1000));
}

}  // namespace
}  // namespace gyre
