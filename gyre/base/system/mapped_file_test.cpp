#include "gyre/base/system/mapped_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "tests/thrown.h"

namespace gyre {
namespace {

class MappedFileTest : public testing::Test {
 protected:
  void SetUp() override { write_file_atomic(path_, std::string(100000, 'a')); }
  void TearDown() override { remove_tree(path_); }

  std::string path_ = testing::TempDir() + "/gyre-mapped-" + std::to_string(getpid());
};

void print_and_return(const char* path) { std::fprintf(stderr, "lost %s\n", path); }
void print_and_end(const char* path) {
  print_and_return(path);
  _exit(3);
}
void earlier(int) { _exit(4); }

char last_after_cut(const std::string& path) {
  const MappedFile first(path), map(path);
  { const MappedFile gone(path); }
  EXPECT_EQ(truncate(path.c_str(), 10), 0);
  const volatile char* last = &map.text().back();
  return *last;
}

using LostPages = MappedFileTest;

TEST_F(LostPages, AreReportedWithTheFile) {
  EXPECT_EXIT(
      {
        report_lost_pages(print_and_end);
        (void)last_after_cut(path_);
      },
      testing::ExitedWithCode(3), "lost .*gyre-mapped-");
}

// By the signal, or by AddressSanitizer's handler, which was there before.
bool ends_as_before(int status) {
#ifdef __SANITIZE_ADDRESS__
  return WIFEXITED(status) && WEXITSTATUS(status) != 0;
#else
  return testing::KilledBySignal(SIGBUS)(status);
#endif
}

TEST_F(LostPages, EndTheProcessAfterAReportThatReturns) {
  EXPECT_EXIT(
      {
        report_lost_pages(print_and_return);
        (void)last_after_cut(path_);
      },
      ends_as_before, "lost .*gyre-mapped-");
}

TEST_F(LostPages, GoToAnEarlierHandlerAfterTheReport) {
  EXPECT_EXIT(
      {
        signal(SIGBUS, earlier);
        report_lost_pages(print_and_return);
        (void)last_after_cut(path_);
      },
      testing::ExitedWithCode(4), "lost");
}

TEST_F(LostPages, OtherSignalsAreNotReported) {
  EXPECT_EXIT(
      {
        signal(SIGBUS, earlier);
        report_lost_pages(print_and_end);
        const MappedFile map(path_);
        kill(getpid(), SIGBUS);
        for (;;) pause();
      },
      testing::ExitedWithCode(4), "^$");
}

TEST_F(MappedFileTest, ReadingPastACutIsAnError) {
  const InputFile file(path_);
  std::byte bytes[20];
  file.read(50000, bytes);
  EXPECT_EQ(bytes[19], std::byte{'a'});
  EXPECT_EQ(truncate(path_.c_str(), 50010), 0);
  const std::string message = message_of(Code::io, [&] { file.read(50000, bytes); });
  EXPECT_TRUE(contains(message, path_) && contains(message, "ends after 50010 bytes")) << message;
}

using ReleasedPages = MappedFileTest;

TEST_F(ReleasedPages, AreReadFromTheFileAgain) {
  MappedFile map(path_, MapMode::copy_on_write);
  const std::span<std::byte> bytes = map.writable_bytes();
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  ASSERT_GT(bytes.size(), 4 * page);
  std::fill(bytes.begin(), bytes.end(), std::byte{'b'});
  release_pages(bytes.subspan(page - 1, page + 2));  // one page lies whole within
  EXPECT_EQ(map.text()[page - 1], 'b');
  EXPECT_EQ(map.text()[page], 'a');
  EXPECT_EQ(map.text()[2 * page - 1], 'a');
  EXPECT_EQ(map.text()[2 * page], 'b');
}

TEST_F(ReleasedPages, AreNeverThoseOfOtherMemory) {
  const std::vector<std::byte> own(100000, std::byte{'c'});
  release_pages(own);
  release_pages({});
  EXPECT_EQ(std::count(own.begin(), own.end(), std::byte{'c'}), 100000);
}

}  // namespace
}  // namespace gyre
