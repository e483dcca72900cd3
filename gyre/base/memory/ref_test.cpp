#include "gyre/base/memory/ref.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace gyre {
namespace {

struct Counted : RefCounted {
  explicit Counted(int* deaths) : deaths(deaths) {}
  ~Counted() override { ++*deaths; }
  int* deaths;
};
struct Derived final : Counted {
  using Counted::Counted;
  char more[200] = {};
};
struct Large final : RefCounted {
  char bytes[5000] = {};
};

TEST(Ref, DiesWithTheLastReference) {
  int deaths = 0;
  int64_t before = live_objects();
  {
    Ref<Counted> a = make_ref<Counted>(&deaths);
    EXPECT_TRUE(a.unique());
    Ref<Counted> b = a;
    EXPECT_FALSE(a.unique());
    EXPECT_TRUE(a == b);
    a = {};
    EXPECT_FALSE(a);
    EXPECT_EQ(deaths, 0);
    EXPECT_EQ(live_objects(), before + 1);
    b = std::move(b);
    EXPECT_TRUE(b);
  }
  EXPECT_EQ(deaths, 1);
  EXPECT_EQ(live_objects(), before);
}

TEST(Ref, ConvertsToItsBase) {
  int deaths = 0;
  {
    Ref<Counted> base = make_ref<Derived>(&deaths);
    Ref<RefCounted> root = base;
    base = {};
    EXPECT_EQ(deaths, 0);
  }
  EXPECT_EQ(deaths, 1);
}

TEST(Ref, ReleaseAndAdoptKeepTheCount) {
  int deaths = 0;
  Counted* pointer = make_ref<Counted>(&deaths).release();
  EXPECT_EQ(deaths, 0);
  { Ref<Counted> again = Ref<Counted>::adopt(pointer); }
  EXPECT_EQ(deaths, 1);
}

TEST(Ref, LargeObjectsToo) {
  int64_t before = live_objects();
  std::vector<Ref<Large>> many;
  for (int i = 0; i < 50; ++i) many.push_back(make_ref<Large>());
  EXPECT_EQ(live_objects(), before + 50);
  many.clear();
  EXPECT_EQ(live_objects(), before);
}

TEST(Ref, CopiesInManyThreads) {
  int deaths = 0;
  int64_t before = live_objects();
  {
    Ref<Counted> shared = make_ref<Counted>(&deaths);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 10000; ++i) Ref<Counted> copy = shared;
      });
    }
    for (auto& t : threads) t.join();
    EXPECT_TRUE(shared.unique());
  }
  EXPECT_EQ(deaths, 1);
  EXPECT_EQ(live_objects(), before);
}

TEST(Ref, MadeInOneThreadAndDroppedInAnother) {
  int64_t before = live_objects();
  std::vector<Ref<Large>> many;
  std::thread([&] {
    for (int i = 0; i < 100; ++i) many.push_back(make_ref<Large>());
  }).join();
  many.clear();
  EXPECT_EQ(live_objects(), before);
}

}  // namespace
}  // namespace gyre
