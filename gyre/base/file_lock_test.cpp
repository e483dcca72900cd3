#include "gyre/base/file_lock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/base/file.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

void lock(const std::string& path) { FileLock held(path); }

TEST(FileLock, IsHeldByOneAtATime) {
  std::string path = testing::TempDir() + "gyre_file_lock_test";
  {
    FileLock held(path);
    EXPECT_EQ(code_of([&] { lock(path); }), Code::resource);
  }
  EXPECT_NO_THROW(lock(path)) << "free again";
  EXPECT_FALSE(file_exists(path));
}

TEST(FileLock, AFileThatWasLeftHindersNobody) {
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

TEST(FileLock, IsHeldByOneOfManyThatComeAndGo) {
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

}  // namespace
}  // namespace gyre
