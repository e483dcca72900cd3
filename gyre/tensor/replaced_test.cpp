#include "gyre/tensor/replaced.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "gyre/base/memory/poison.h"

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

TEST(Replaced, ATensorIsReplacedOnceInEveryPlaceOfAModule) {
  const Tensor first = empty({2});
  Tensor now = first;
  for (int i = 0; i < 3; ++i) {
    const Tensor next = empty({2});
    note_replaced(now, next);
    note_replaced(now, next);
    now = next;
  }
  EXPECT_EQ(newest(first).impl(), now.impl());
}

// As by casting two copies of a module, one after the other.
TEST(Replaced, TheLastReplacementCounts) {
  const int64_t before = live_tensors();
  {
    const Tensor first = empty({2});
    note_replaced(first, empty({2}));
    const Tensor second = empty({2});
    note_replaced(first, second);
    EXPECT_EQ(newest(first).impl(), second.impl());
    EXPECT_EQ(live_tensors(), before + 2);
  }
  EXPECT_EQ(live_tensors(), before);
}

TEST(Replaced, AForkedChildReplacesWhileOtherThreadsDo) {
  if (GYRE_ASAN) GTEST_SKIP() << "AddressSanitizer's own allocator may be locked in a forked child";
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) note_replaced(empty({2}), empty({2}));
  });
  for (int i = 0; i < 50; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);
      const Tensor a = empty({2}), b = empty({2});
      note_replaced(a, b);
      _exit(newest(a).impl() == b.impl() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << "child " << i;
  }
  stop = true;
  other.join();
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
