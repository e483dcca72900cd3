#include "gyre/base/file_lock.h"

#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "gyre/base/file.h"

namespace gyre {
namespace {

Code code_of(const std::string& path) {
  try {
    FileLock lock(path);
  } catch (const Error& e) {
    return e.code;
  }
  return Code::internal;
}

TEST(FileLock, IsHeldByOneAtATime) {
  std::string path = testing::TempDir() + "gyre_file_lock_test";
  {
    FileLock held(path);
    EXPECT_EQ(code_of(path), Code::resource);
  }
  EXPECT_EQ(code_of(path), Code::internal) << "free again";
  remove_tree(path);
}

TEST(FileLock, NeedsAFileThatCanBeMade) { EXPECT_EQ(code_of("/no/such/folder/lock"), Code::io); }

}  // namespace
}  // namespace gyre
