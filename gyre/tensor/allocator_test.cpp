#include "gyre/tensor/allocator.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/base/memory/poison.h"
#include "gyre/base/memory/small_blocks.h"
#include "gyre/tensor/tensor.h"
#include "tests/thrown.h"

// A child's thread may reuse the id of a parent's thread, for which ThreadSanitizer aborts it.
#if defined(__SANITIZE_THREAD__)
constexpr bool kThreadsInChildren = false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr bool kThreadsInChildren = false;
#else
constexpr bool kThreadsInChildren = true;
#endif
#else
constexpr bool kThreadsInChildren = true;
#endif

// Makes failing requests return a null pointer, as without the sanitizer.
extern "C" __attribute__((weak)) const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}

namespace gyre {
namespace {

bool refused(size_t bytes) {
  try {
    allocator::free(allocator::allocate(bytes), bytes);
    return false;
  } catch (const Error& e) {
    EXPECT_EQ(e.code, Code::resource);
    EXPECT_EQ(e.op, "allocate");
    return true;
  }
}

TEST(Allocator, BlocksAreAlignedAndReused) {
  allocator::empty_cache();
  for (size_t bytes : {size_t{0}, size_t{1}, size_t{64}, size_t{65}, size_t{4096}, size_t{4097},
                       size_t{100000}, size_t{5} << 20}) {
    void* block = allocator::allocate(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
    std::memset(block, 1, bytes);
    allocator::free(block, bytes);
    if (bytes <= kLargestSmallBlock) continue;  // kept by the thread
    uint64_t from_system = allocator::stats().from_system;
    void* again = allocator::allocate(bytes);
    EXPECT_EQ(again, block);
    EXPECT_EQ(allocator::stats().from_system, from_system);
    allocator::free(again, bytes);
  }
}

TEST(Allocator, AtMostAnEighthIsLost) {
  for (size_t bytes = 513; bytes < (size_t{1} << 22); bytes += bytes / 37) {
    size_t before = allocator::stats().in_use;
    void* block = allocator::allocate(bytes);
    size_t taken = allocator::stats().in_use - before;
    EXPECT_GE(taken, bytes);
    EXPECT_LE(taken, bytes + bytes / 8 + 64) << bytes;
    allocator::free(block, bytes);
    EXPECT_EQ(allocator::stats().in_use, before);
  }
}

TEST(Allocator, StatisticsFollowEveryStep) {
  allocator::empty_cache();
  EXPECT_EQ(allocator::stats().cached, 0u);
  allocator::reset_peak();
  AllocatorStats start = allocator::stats();
  void* a = allocator::allocate(8192);
  void* b = allocator::allocate(16384);
  AllocatorStats both = allocator::stats();
  EXPECT_EQ(both.in_use, start.in_use + 24576);
  EXPECT_EQ(both.requests, start.requests + 2);
  EXPECT_EQ(both.from_system, start.from_system + 2);
  allocator::free(a, 8192);
  EXPECT_EQ(allocator::stats().cached, 8192u);
  EXPECT_EQ(allocator::stats().in_use, start.in_use + 16384);
  EXPECT_EQ(allocator::stats().peak, start.in_use + 24576);
  allocator::free(b, 16384);
  void* small = allocator::allocate(100);
  EXPECT_GE(allocator::stats().in_use, start.in_use + 100);
  EXPECT_EQ(allocator::stats().requests, start.requests + 3);
  allocator::free(small, 100);
  EXPECT_EQ(allocator::stats().in_use, start.in_use);
  allocator::reset_peak();
  EXPECT_EQ(allocator::stats().peak, start.in_use);
  allocator::empty_cache();
  EXPECT_EQ(allocator::stats().cached, 0u);
}

TEST(Allocator, EveryClassReturnsToTheSystem) {
  allocator::empty_cache();
  for (size_t bytes = 1; bytes < (size_t{1} << 24); bytes += bytes / 9 + 1) {
    allocator::free(allocator::allocate(bytes), bytes);
  }
  EXPECT_GT(allocator::stats().cached, 0u);
  allocator::empty_cache();
  EXPECT_EQ(allocator::stats().cached, 0u);
}

TEST(Allocator, LimitIncludesTheCacheAndEmptiesItFirst) {
  allocator::empty_cache();
  size_t base = allocator::stats().in_use;
  allocator::set_limit(base + (size_t{1} << 20));
  EXPECT_TRUE(refused(size_t{2} << 20));
  EXPECT_FALSE(refused(size_t{768} << 10));  // now cached
  EXPECT_FALSE(refused(size_t{512} << 10));  // fits only after emptying the cache
  EXPECT_LE(allocator::stats().cached, size_t{512} << 10);
  allocator::set_limit(0);
  EXPECT_FALSE(refused(size_t{2} << 20));
  allocator::empty_cache();
}

TEST(Allocator, TheChosenRequestFailsAndNoOther) {
  AllocatorStats before = allocator::stats();
  allocator::fail_request(3);
  EXPECT_FALSE(refused(100));
  EXPECT_FALSE(refused(100));
  EXPECT_TRUE(refused(100));
  EXPECT_FALSE(refused(100));
  allocator::fail_request(1);
  allocator::fail_request(0);
  EXPECT_FALSE(refused(100));
  EXPECT_EQ(allocator::stats().in_use, before.in_use);
}

// The environment is read once, so the test starts itself again with the variable set.
TEST(Allocator, EnvironmentChoosesTheRequestThatFails) {
  if (std::getenv("GYRE_FAIL_ALLOC")) {
    EXPECT_FALSE(refused(100));
    EXPECT_TRUE(refused(100));
    EXPECT_FALSE(refused(100));
    return;
  }
  char path[4096] = {};
  ASSERT_GT(readlink("/proc/self/exe", path, sizeof path - 1), 0);
  std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string command = "unset GTEST_OUTPUT; GYRE_FAIL_ALLOC=2 '" + std::string(path) +
                        "' --gtest_filter='*" + name + "' >/dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(Allocator, HugeTensorsAreAnErrorAndTheProcessSurvives) {
  AllocatorStats before = allocator::stats();
  int64_t tensors = live_tensors();
  for (DType dtype : {DType::f32, DType::f64, DType::u8}) {
    for (const Shape& shape : {Shape{int64_t{1} << 60}, Shape{int64_t{1} << 30, int64_t{1} << 30},
                               Shape{int64_t{1} << 62}}) {
      EXPECT_EQ(code_of([&] { empty(shape, dtype); }), Code::resource) << to_string(shape);
    }
  }
  EXPECT_TRUE(refused(SIZE_MAX));
  EXPECT_TRUE(refused(SIZE_MAX / 2));
  EXPECT_EQ(allocator::stats().in_use, before.in_use);
  EXPECT_EQ(live_tensors(), tensors);
  EXPECT_FALSE(refused(1000));
}

TEST(Allocator, NoGrowthOverManyRounds) {
  auto round = [] {
    for (int64_t n : {10, 1000, 33000}) empty(Shape{n});
  };
  round();
  AllocatorStats before = allocator::stats();
  for (int i = 0; i < 10000; ++i) round();
  AllocatorStats after = allocator::stats();
  EXPECT_EQ(after.from_system, before.from_system);
  EXPECT_EQ(after.cached, before.cached);
  EXPECT_EQ(after.in_use, before.in_use);
}

TEST(Allocator, ThreadsShareIt) {
  size_t before = allocator::stats().in_use;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 2000; ++i) {
        Tensor x = empty(Shape{100 + t});
        std::memset(x.bytes(), t, x.impl()->storage->bytes);
        EXPECT_EQ(static_cast<int>(x.bytes()[17]), t);
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(allocator::stats().in_use, before);
}

// Allocates and counts, also in a new thread, which may reuse the memory of an ended one.
int use_in_child() {
  alarm(20);
  int64_t before = live_tensors();
  for (int64_t n : {10, 5000, 100000}) {
    Tensor x = empty(Shape{n});
    std::memset(x.bytes(), 1, x.impl()->storage->bytes);
    if (live_tensors() != before + 1) return 1;
  }
  if (kThreadsInChildren) std::thread([] { empty(Shape{5000}); }).join();
  allocator::empty_cache();
  return live_tensors() == before ? 0 : 2;
}

TEST(Allocator, AForkedChildWorksWhileOtherThreadsAllocate) {
  if (GYRE_ASAN) GTEST_SKIP() << "AddressSanitizer's own allocator may be locked in a forked child";
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&stop] {
      while (!stop) {
        for (int i = 0; i < 100; ++i) empty(Shape{5000});
        std::thread([] { empty(Shape{5000}); }).join();
        live_tensors();
      }
    });
  }
  for (int i = 0; i < 50; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(use_in_child());
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    if (::testing::Test::HasFailure()) break;
  }
  stop = true;
  for (auto& t : threads) t.join();
}

}  // namespace
}  // namespace gyre
