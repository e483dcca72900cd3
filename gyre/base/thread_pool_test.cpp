#include "gyre/base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gyre/base/error.h"
#include "tests/thrown.h"

// Makes failing requests return a null pointer, as without the sanitizer.
extern "C" __attribute__((weak)) const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}

namespace gyre {
namespace {

class ThreadPool : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_num_threads(GetParam()); }
  void TearDown() override { set_num_threads(0); }
};

TEST_P(ThreadPool, CoversEveryElementOnceInFixedChunks) {
  for (int64_t n : {0, 1, 2, 7, 64, 1000}) {
    for (int64_t grain : {0, 1, 3, 64, 5000}) {
      std::vector<int> hits(static_cast<size_t>(n), 0);
      std::set<std::pair<int64_t, int64_t>> chunks;
      std::mutex mutex;
      parallel_for(n, grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) ++hits[static_cast<size_t>(i)];
        const std::lock_guard lock(mutex);
        chunks.emplace(begin, end);
      });
      EXPECT_EQ(hits, std::vector<int>(static_cast<size_t>(n), 1));
      std::set<std::pair<int64_t, int64_t>> expected;
      const int64_t step = grain < 1 ? 1 : grain;
      for (int64_t i = 0; i < n; i += step) expected.emplace(i, i + step < n ? i + step : n);
      EXPECT_EQ(chunks, expected) << n << " by " << grain;
    }
  }
}

TEST_P(ThreadPool, ManyShortLoops) {
  int64_t total = 0;
  for (int round = 0; round < 5000; ++round) {
    std::atomic<int64_t> sum{0};
    parallel_for(16, 2,
                 [&](int64_t begin, int64_t end) { sum += (end - begin) * (round + begin); });
    total += sum - (16 * round + 2 * 56);
  }
  EXPECT_EQ(total, 0);
}

TEST_P(ThreadPool, MeasuresTimeWhileAPoolClockExists) {
  auto turn = [] {
    parallel_for(
        8, 1, [](int64_t, int64_t) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
  };
  PoolTime before = pool_time();
  turn();
  PoolTime after = pool_time();
  EXPECT_EQ(after.wall, before.wall) << "no PoolClock";
  EXPECT_EQ(after.busy, before.busy);
  {
    PoolClock clock;
    turn();
  }
  PoolTime seen = pool_time();
  seen -= after;
  if (GetParam() == 1) {
    EXPECT_EQ(seen.busy, 0) << "no loop was shared by threads";
    return;
  }
  EXPECT_GE(seen.busy, 16'000'000) << "all bodies sleep for that long";
  EXPECT_LE(seen.busy, seen.wall * GetParam());
}

TEST_P(ThreadPool, NestedLoopsRunOnTheThreadOfTheOuterBody) {
  std::atomic<int> strangers{0}, inner{0};
  parallel_for(8, 1, [&](int64_t, int64_t) {
    const std::thread::id self = std::this_thread::get_id();
    int64_t last = -1;
    parallel_for(100, 7, [&](int64_t begin, int64_t end) {
      if (std::this_thread::get_id() != self || begin < last) ++strangers;
      last = begin;
      inner += static_cast<int>(end - begin);
    });
  });
  EXPECT_EQ(strangers, 0);
  EXPECT_EQ(inner, 800);
}

TEST_P(ThreadPool, RethrowsTheExceptionOfABodyAndWorksOn) {
  for (int round = 0; round < 50; ++round) {
    EXPECT_THROW(parallel_for(100, 1,
                              [&](int64_t begin, int64_t) {
                                if (begin % 10 == 3) throw std::out_of_range("row");
                              }),
                 std::out_of_range);
    std::atomic<int> count{0};
    parallel_for(100, 1, [&](int64_t, int64_t) { ++count; });
    EXPECT_EQ(count, 100);
  }
}

TEST_P(ThreadPool, SeveralUserThreadsAtOnce) {
  std::atomic<int64_t> sum{0};
  std::vector<std::thread> users;
  for (int user = 0; user < 4; ++user) {
    users.emplace_back([&] {
      for (int round = 0; round < 300; ++round) {
        parallel_for(64, 4, [&](int64_t begin, int64_t end) { sum += end - begin; });
      }
    });
  }
  for (std::thread& user : users) user.join();
  EXPECT_EQ(sum, 4 * 300 * 64);
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPool, ::testing::Values(1, 2, 3, 7));

TEST(ThreadPoolSize, UsesSeveralThreadsWhenAsked) {
  set_num_threads(3);
  EXPECT_EQ(num_threads(), 3);
  std::atomic<int> arrived{0};
  // Ends only when three threads are inside a body at the same time.
  parallel_for(3, 1, [&](int64_t, int64_t) {
    ++arrived;
    while (arrived < 3) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 3);
  set_num_threads(0);
}

TEST(ThreadPoolSize, LimitsAndDefault) {
  EXPECT_THROW(set_num_threads(kMaxThreads + 1), Error);
  EXPECT_THROW(set_num_threads(-3), Error);
  set_num_threads(kMaxThreads);
  EXPECT_EQ(num_threads(), kMaxThreads);
  set_num_threads(0);
  const int start = num_threads();
  EXPECT_GE(start, 1);
  EXPECT_LE(start, kMaxThreads);
}

TEST(ThreadPoolSize, ReadsGyreThreadsAndRefusesInvalidValues) {
  const char* before = std::getenv("GYRE_THREADS");
  const std::string kept = before ? before : "";
  unsetenv("GYRE_THREADS");
  set_num_threads(0);
  const int automatic = num_threads();
  setenv("GYRE_THREADS", "5", 1);
  set_num_threads(0);
  EXPECT_EQ(num_threads(), 5);
  for (const char* wrong : {"0", "-2", "3x", " 3", "two", "257", "99999999999"}) {
    setenv("GYRE_THREADS", wrong, 1);
    EXPECT_THROW(set_num_threads(0), Error) << wrong;
    EXPECT_EQ(num_threads(), 5) << wrong;
  }
  setenv("GYRE_THREADS", "", 1);
  set_num_threads(0);
  EXPECT_EQ(num_threads(), automatic);
  if (before) {
    setenv("GYRE_THREADS", kept.c_str(), 1);
  } else {
    unsetenv("GYRE_THREADS");
  }
  set_num_threads(0);
}

TEST(ThreadPoolFork, TheChildHasAPoolOfItsOwn) {
  set_num_threads(2);
  parallel_for(8, 1, [](int64_t, int64_t) {});
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    std::atomic<int> arrived{0};
    parallel_for(2, 1, [&](int64_t, int64_t) {
      ++arrived;
      while (arrived < 2) std::this_thread::yield();
    });
    _exit(arrived == 2 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  set_num_threads(0);
}

TEST(ThreadScratch, IsAlignedGrowsAndBelongsToTheThread) {
  std::byte* const first = thread_scratch(1000);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 64, 0u);
  EXPECT_EQ(thread_scratch(10), first);
  std::byte* const large = thread_scratch(1 << 20);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(large) % 64, 0u);
  std::memset(large, 1, 1 << 20);
  EXPECT_EQ(thread_scratch(1 << 20), large);
  std::byte* other = nullptr;
  std::thread([&] { other = thread_scratch(1 << 20); }).join();
  EXPECT_NE(other, nullptr);
  EXPECT_EQ(thread_scratch(1 << 20), large);
}

TEST(ThreadScratch, RejectsHugeRequests) {
  for (size_t bytes : {SIZE_MAX, SIZE_MAX / 2}) {
    EXPECT_EQ(code_of([&] { thread_scratch(bytes); }), Code::resource) << bytes;
  }
  EXPECT_NE(thread_scratch(100), nullptr);
}

}  // namespace
}  // namespace gyre
