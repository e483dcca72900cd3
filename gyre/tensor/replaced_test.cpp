#include "gyre/tensor/replaced.h"

#include <gtest/gtest.h>

#include <thread>

namespace gyre {
namespace {

TEST(Replaced, TheLastOfSeveralIsFound) {
  const Tensor a = empty({2}), b = empty({2}), c = empty({2}), other = empty({2});
  EXPECT_EQ(newest(a).impl(), a.impl());
  note_replaced(a, b);
  EXPECT_EQ(newest(a).impl(), b.impl());
  note_replaced(b, c);
  for (const Tensor& t : {a, b, c}) EXPECT_EQ(newest(t).impl(), c.impl());
  EXPECT_EQ(newest(other).impl(), other.impl());
}

TEST(Replaced, OnlyTheNewestOutlivesItsModule) {
  const int64_t before = live_tensors();
  {
    Tensor first = empty({2});
    Tensor now = first;
    for (int i = 0; i < 5; ++i) {
      Tensor next = empty({2});
      note_replaced(now, next);
      now = next;
    }
    EXPECT_EQ(live_tensors(), before + 2) << "the first and the newest";
    const TensorImpl* last = now.impl();
    now = {};
    EXPECT_EQ(newest(first).impl(), last);
    first = {};
    EXPECT_EQ(live_tensors(), before);
  }
  {
    Tensor first = empty({2}), second = empty({2});
    note_replaced(first, second);
    first = {};
    const Tensor third = empty({2});
    note_replaced(second, third);
    EXPECT_EQ(newest(second).impl(), third.impl());
  }
  EXPECT_EQ(live_tensors(), before);
}

TEST(Replaced, ThreadsLookUpWhileOthersReplaceAndRelease) {
  const Tensor first = empty({2});
  std::thread replaces([&] {
    Tensor now = first;
    for (int i = 0; i < 1000; ++i) {
      const Tensor next = empty({2});
      note_replaced(now, next);
      now = next;
    }
  });
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(newest(first).numel(), 2);
  replaces.join();
  EXPECT_NE(newest(first).impl(), first.impl());
}

}  // namespace
}  // namespace gyre
