#include "gyre/base/memory/small_vector.h"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <string>

namespace gyre {
namespace {

using Strings = SmallVector<std::string, 2>;
std::string text(int i) {
  return "a text that does not fit into the string itself " + std::to_string(i);
}

Strings of(int n) {
  Strings v;
  for (int i = 0; i < n; ++i) v.push_back(text(i));
  return v;
}
void expect_holds(const Strings& v, int n) {
  ASSERT_EQ(v.size(), static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) EXPECT_EQ(v[static_cast<size_t>(i)], text(i));
}

TEST(SmallVector, GrowsPastItsInlineElements) {
  for (int n : {0, 1, 2, 3, 4, 5, 100}) {
    Strings v = of(n);
    expect_holds(v, n);
    EXPECT_EQ(v.empty(), n == 0);
    EXPECT_GE(v.capacity(), v.size());
  }
}

TEST(SmallVector, CopiesAndMoves) {
  for (int n : {0, 1, 2, 3, 9}) {
    for (int m : {0, 2, 7}) {
      Strings a = of(n), copied(a), assigned = of(m), moved_into = of(m);
      assigned = a;
      expect_holds(copied, n);
      expect_holds(assigned, n);
      Strings& self = a;
      a = self;
      expect_holds(a, n);
      moved_into = std::move(a);
      expect_holds(moved_into, n);
      EXPECT_TRUE(a.empty());
      a.push_back(text(0));
      expect_holds(a, 1);
      Strings made(std::move(moved_into));
      expect_holds(made, n);
    }
  }
}

// The n-th copy throws.
struct Fragile {
  static inline int alive = 0, copies_left = 0;
  Fragile() { ++alive; }
  Fragile(const Fragile&) {
    if (copies_left-- == 0) throw std::bad_alloc();
    ++alive;
  }
  Fragile(Fragile&&) noexcept { ++alive; }
  ~Fragile() { --alive; }
};

TEST(SmallVector, AFailedConstructionLeaksNothing) {
  {
    SmallVector<Fragile, 2> four(4);
    const Fragile one;
    for (int fine = 0; fine < 4; ++fine) {
      Fragile::copies_left = fine;
      EXPECT_THROW((SmallVector<Fragile, 2>(four)), std::bad_alloc);
      Fragile::copies_left = fine;
      EXPECT_THROW((SmallVector<Fragile, 2>(four.begin(), four.end())), std::bad_alloc);
      Fragile::copies_left = fine;
      EXPECT_THROW((SmallVector<Fragile, 2>(size_t{4}, one)), std::bad_alloc);
      EXPECT_EQ(Fragile::alive, 5);
    }
  }
  EXPECT_EQ(Fragile::alive, 0);
}

TEST(SmallVector, AnElementMayBePushedOntoItsOwnVector) {
  SmallVector<std::string, 2> v{text(0), text(1)};
  v.push_back(v[0]);
  EXPECT_EQ(v[2], text(0));
  v.reserve(4);
  v.push_back(std::move(v[1]));
  EXPECT_EQ(v.back(), text(1));
}

TEST(SmallVector, ResizePopAndClear) {
  Strings v = of(5);
  v.pop_back();
  expect_holds(v, 4);
  v.resize(2);
  expect_holds(v, 2);
  v.resize(4);
  EXPECT_EQ(v[3], "");
  v.clear();
  EXPECT_TRUE(v.empty());
}

TEST(SmallVector, HoldsMoveOnlyElements) {
  SmallVector<std::unique_ptr<int>, 1> v;
  for (int i = 0; i < 10; ++i) v.push_back(std::make_unique<int>(i));
  SmallVector<std::unique_ptr<int>, 1> w(std::move(v));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(*w[static_cast<size_t>(i)], i);
}

TEST(SmallVector, KeepsAlignment) {
  struct alignas(64) Wide {
    double x[8];
  };
  SmallVector<Wide, 1> v;
  for (int i = 0; i < 5; ++i) {
    v.emplace_back();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(v.data()) % 64, 0u);
  }
}

TEST(SmallVector, ConstructorsAgree) {
  SmallVector<int, 2> filled(3, 7), listed{7, 7, 7}, counted(3);
  EXPECT_TRUE(std::equal(filled.begin(), filled.end(), listed.begin(), listed.end()));
  EXPECT_EQ(counted[2], 0);
  int more[] = {7, 7, 7};
  SmallVector<int, 2> range(more, more + 3);
  EXPECT_EQ(range.size(), 3u);
  EXPECT_EQ(range.front(), 7);
}

}  // namespace
}  // namespace gyre
