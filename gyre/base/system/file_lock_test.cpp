#include "gyre/base/system/file_lock.h"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "tests/thrown.h"

namespace {

std::function<void()> before_locking;  // what others do between opening and locking

}  // namespace

extern "C" int flock(int descriptor, int operation) noexcept {
  if (before_locking) before_locking();
  return static_cast<int>(::syscall(SYS_flock, descriptor, operation));
}

namespace gyre {
namespace {

void lock(const std::string& path) { FileLock held(path); }

TEST(FileLock, IsExclusive) {
  std::string path = testing::TempDir() + "gyre_file_lock_test";
  {
    FileLock held(path);
    EXPECT_EQ(code_of([&] { lock(path); }), Code::resource);
  }
  EXPECT_NO_THROW(lock(path)) << "free again";
  EXPECT_FALSE(file_exists(path));
}

TEST(FileLock, ALeftoverFileDoesNotBlock) {
  std::string path = testing::TempDir() + "gyre_file_lock_left";
  write_file_atomic(path, "");
  EXPECT_NO_THROW(lock(path));
}

TEST(FileLock, LeavesTheFileOfAnotherAlone) {
  std::string path = testing::TempDir() + "gyre_file_lock_replaced";
  {
    FileLock first(path);
    remove_tree(path);
    write_file_atomic(path, "of another");
  }
  EXPECT_TRUE(file_exists(path));
  remove_tree(path);
}

TEST(FileLock, IsExclusiveUnderContention) {
  std::string path = testing::TempDir() + "gyre_file_lock_many";
  std::atomic<int> holders = 0, taken = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 2000; ++n) {
        try {
          FileLock lock(path);
          EXPECT_EQ(++holders, 1);
          ++taken;
          --holders;
        } catch (const Error& e) {
          EXPECT_EQ(e.code, Code::resource);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(taken, 0);
}

TEST(FileLock, NeedsAFileThatCanBeMade) {
  EXPECT_EQ(code_of([] { lock("/no/such/folder/lock"); }), Code::io);
}

class ReplacedLock : public testing::Test {
 protected:
  void SetUp() override {
    remove_tree(folder_);
    create_directories(folder_);
  }
  void TearDown() override {
    before_locking = nullptr;
    remove_tree(folder_);
  }
  const std::string folder_ = testing::TempDir() + "gyre_replaced_lock", path_ = folder_ + "/lock";
};

TEST_F(ReplacedLock, IsTakenWhenItStays) {
  int removals = 0;
  before_locking = [&] {
    if (++removals <= 5) remove_tree(path_);
  };
  EXPECT_NO_THROW(lock(path_));
  EXPECT_EQ(removals, 6);
}

TEST_F(ReplacedLock, FailsWhenTheFileIsAlwaysReplaced) {
  before_locking = [&] {
    remove_tree(path_);
    LineLog another(path_);
  };
  EXPECT_TRUE(contains(message_of(Code::io, [&] { lock(path_); }), "another file"));
  before_locking = [&] { remove_tree(path_); };
  EXPECT_TRUE(contains(message_of(Code::io, [&] { lock(path_); }), "another file"));
}

TEST_F(ReplacedLock, CannotBeTakenWhereItsFolderWent) {
  before_locking = [&] {
    remove_tree(folder_);
    write_file_atomic(folder_, "");
  };
  EXPECT_TRUE(contains(message_of(Code::io, [&] { lock(path_); }), "Not a directory"));
}

}  // namespace
}  // namespace gyre
