#include "gyre/base/system/file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/system/mapped_file.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

/// A temporary directory per test.
class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/gyre-file-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { remove_tree(folder_); }

  std::string in(const std::string& name) const { return folder_ + "/" + name; }

  /// The message of the Error{io} that `body` throws.
  template <class Body>
  static std::string io_message(Body body) {
    return message_of(Code::io, body);
  }

  std::string folder_;
};

TEST_F(FileTest, WritesAndReadsBack) {
  std::string content("a\0b\n\xff", 5);
  for (int i = 0; i < 20000; ++i) content += "line " + std::to_string(i) + "\n";
  write_file_atomic(in("x"), content);
  EXPECT_EQ(read_file(in("x")), content);
  EXPECT_EQ(MappedFile(in("x")).text(), content);
  EXPECT_EQ(file_size(in("x")), content.size());
  EXPECT_EQ(list_directory(folder_), std::vector<std::string>{"x"});
}

TEST_F(FileTest, RemovesUnfinishedFiles) {
  write_file_atomic(in("whole"), "");
  AtomicFile begun(in("x"));
  begun.write("half");
  const pid_t other = fork();
  if (other == 0) {
    pause();
    _exit(0);
  }
  const std::string of_other = ".gyre-" + std::to_string(other) + "-0.tmp";
  for (const std::string& name : {of_other, std::string(".gyre-x.tmp"), std::string(".x.tmp")}) {
    write_file_atomic(in(name), "");
  }
  EXPECT_EQ(list_directory(folder_).size(), 5u);
  remove_unfinished_files(folder_);
  EXPECT_EQ(list_directory(folder_), (std::vector<std::string>{of_other, ".x.tmp", "whole"}));
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  remove_unfinished_files(folder_);
  EXPECT_EQ(list_directory(folder_), (std::vector<std::string>{".x.tmp", "whole"}));
  EXPECT_NE(io_message([&] { remove_unfinished_files(in("none")); }), "");
}

TEST_F(FileTest, PathsFromTheRoot) {
  EXPECT_EQ(absolute_path("/a/b"), "/a/b");
  std::string here = absolute_path("b");
  EXPECT_TRUE(here.starts_with("/") && here.ends_with("/b")) << here;
}

TEST_F(FileTest, EmptyFile) {
  write_file_atomic(in("empty"), "");
  EXPECT_EQ(read_file(in("empty")), "");
  EXPECT_TRUE(MappedFile(in("empty")).bytes().empty());
  EXPECT_EQ(file_size(in("empty")), 0u);
}

TEST_F(FileTest, MappingMoves) {
  write_file_atomic(in("a"), "first");
  write_file_atomic(in("b"), "second");
  MappedFile map(in("a"));
  MappedFile moved(std::move(map));
  EXPECT_EQ(moved.text(), "first");
  moved = MappedFile(in("b"));
  EXPECT_EQ(moved.text(), "second");
  EXPECT_EQ(moved.path(), in("b"));
}

TEST_F(FileTest, MappingSurvivesReplacement) {
  write_file_atomic(in("a"), "old");
  const MappedFile map(in("a"));
  write_file_atomic(in("a"), "new and longer");
  EXPECT_EQ(map.text(), "old");
}

TEST_F(FileTest, CopyOnWriteDoesNotReachTheFile) {
  write_file_atomic(in("a"), "old");
  MappedFile map(in("a"), MapMode::copy_on_write);
  map.writable_bytes()[0] = std::byte{'b'};
  EXPECT_EQ(map.text(), "bld");
  EXPECT_EQ(read_file(in("a")), "old");
  MappedFile fixed(in("a"));
  EXPECT_THROW((void)fixed.writable_bytes(), Error);
}

TEST_F(FileTest, MissingNamesPathAndReason) {
  for (const auto& message : {io_message([&] { MappedFile map(in("none")); }),
                              io_message([&] { (void)read_file(in("none")); }),
                              io_message([&] { (void)file_size(in("none")); }),
                              io_message([&] { (void)list_directory(in("none")); }),
                              io_message([&] { AtomicFile file(in("none/x")); }),
                              io_message([&] { LineLog log(in("none/x")); }),
                              io_message([&] { rename_path(in("none"), in("y")); })}) {
    EXPECT_TRUE(contains(message, in("none"))) << message;
    EXPECT_TRUE(contains(message, "no such file or directory")) << message;
  }
}

TEST_F(FileTest, DirectoryIsAnError) {
  for (const auto& message :
       {io_message([&] { MappedFile map(folder_); }), io_message([&] { (void)read_file(folder_); }),
        io_message([&] { (void)file_size(folder_); }),
        io_message([&] { AtomicFile file(folder_); })}) {
    EXPECT_TRUE(contains(message, "is a directory")) << message;
  }
}

TEST_F(FileTest, PipesCannotBeMapped) {
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(contains(io_message([&] { MappedFile map(in("pipe")); }), "not a regular file"));
  EXPECT_TRUE(contains(io_message([&] { (void)file_size(in("pipe")); }), "not a regular file"));
}

TEST_F(FileTest, UnreadableAndUnwritable) {
  write_file_atomic(in("x"), "secret");
  ::chmod(in("x").c_str(), 0);
  ::chmod(folder_.c_str(), 0755);
  const uid_t user = ::geteuid();
  if (user == 0) {  // root can read everything: become nobody temporarily
    ASSERT_EQ(::seteuid(65534), 0);
  }
  EXPECT_TRUE(contains(io_message([&] { MappedFile map(in("x")); }), "permission denied"));
  EXPECT_TRUE(contains(io_message([&] { (void)read_file(in("x")); }), "permission denied"));
  EXPECT_TRUE(contains(io_message([&] { LineLog log(in("x")); }), "permission denied"));
  EXPECT_TRUE(contains(io_message([&] { AtomicFile file(in("x")); }), "permission denied"));
  if (user == 0) {
    EXPECT_TRUE(contains(io_message([&] { AtomicFile file(in("y")); }), "permission denied"));
    EXPECT_TRUE(contains(io_message([&] { create_directories(in("z")); }), "permission denied"));
    EXPECT_TRUE(contains(io_message([&] { remove_tree(in("x")); }), "permission denied"));
    ASSERT_EQ(::seteuid(user), 0);
  }
}

TEST_F(FileTest, WithoutCommitTheOldFileStays) {
  write_file_atomic(in("x"), "old");
  {
    AtomicFile file(in("x"));
    file.write("new");
    EXPECT_EQ(list_directory(folder_).size(), 2u);
  }
  EXPECT_EQ(read_file(in("x")), "old");
  EXPECT_EQ(list_directory(folder_), std::vector<std::string>{"x"});
}

TEST_F(FileTest, FailedWriteLeavesTheOldFile) {
  write_file_atomic(in("x"), "old");
  rlimit old_limit;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, old_limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message =
      io_message([&] { write_file_atomic(in("x"), std::string(100000, 'n')); });
  ::setrlimit(RLIMIT_FSIZE, &old_limit);
  ::signal(SIGXFSZ, old_handler);
  EXPECT_TRUE(contains(message, in("x"))) << message;
  EXPECT_EQ(read_file(in("x")), "old");
  EXPECT_EQ(list_directory(folder_), std::vector<std::string>{"x"});
}

TEST_F(FileTest, CommitFailsWhenTheFolderVanishes) {
  create_directories(in("d"));
  AtomicFile file(in("d/x"));
  file.write("lost");
  rename_path(in("d"), in("e"));
  EXPECT_TRUE(contains(io_message([&] { file.commit(); }), in("d/x")));
}

TEST_F(FileTest, WriteAfterCommitIsAnError) {
  AtomicFile file(in("x"));
  file.commit();
  EXPECT_THROW(file.write("more"), Error);
  EXPECT_THROW(file.commit(), Error);
}

TEST_F(FileTest, FullDevice) {
  if (!file_exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const auto full = [] { write_file_atomic("/dev/full", "x"); };
  EXPECT_TRUE(contains(io_message(full), "no space left"));
  LineLog log("/dev/full");
  EXPECT_TRUE(contains(io_message([&] { log.append("x"); }), "no space left"));
  struct stat device;
  ASSERT_EQ(::stat("/dev/full", &device), 0);
  EXPECT_TRUE(S_ISCHR(device.st_mode));  // still the device, not a file renamed over it
}

TEST_F(FileTest, LinksAndModesSurvive) {
  write_file_atomic(in("real"), "old");
  ::chmod(in("real").c_str(), 0640);
  ASSERT_EQ(::symlink("real", in("link").c_str()), 0);
  write_file_atomic(in("link"), "new");
  EXPECT_EQ(read_file(in("real")), "new");
  struct stat found;
  ASSERT_EQ(::lstat(in("link").c_str(), &found), 0);
  EXPECT_TRUE(S_ISLNK(found.st_mode));
  ASSERT_EQ(::stat(in("real").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0640u);
}

TEST_F(FileTest, LongestName) {
  const std::string name(255, 'n');
  write_file_atomic(in(name), "x");
  EXPECT_EQ(read_file(in(name)), "x");
}

TEST_F(FileTest, GrowingFilesHonourTheirStartMode) {
  using Start = GrowingFile::Start;
  GrowingFile(in("grows"), Start::fresh).append("one");
  EXPECT_EQ(read_file(in("grows")), "one");
  GrowingFile(in("grows"), Start::append).append("two");
  EXPECT_EQ(read_file(in("grows")), "onetwo");
  EXPECT_TRUE(
      contains(io_message([&] { GrowingFile again(in("grows"), Start::fresh); }), "exists"));
  EXPECT_EQ(read_file(in("grows")), "onetwo");
  GrowingFile emptied(in("grows"), Start::empty);
  EXPECT_EQ(read_file(in("grows")), "");
  EXPECT_EQ(emptied.path(), in("grows"));
}

TEST_F(FileTest, LineLogAppends) {
  LineLog(in("log")).append("one");
  LineLog log(in("log"));
  log.append("two");
  log.append("");
  EXPECT_EQ(read_file(in("log")), "one\ntwo\n\n");
  EXPECT_EQ(code_of([&] { log.append("a\nb"); }), Code::value);
  EXPECT_EQ(read_file(in("log")), "one\ntwo\n\n");
}

TEST_F(FileTest, ReadsFilesThatHideTheirSize) {
  if (!file_exists("/proc/self/maps")) GTEST_SKIP() << "no /proc";
  EXPECT_GT(read_file("/proc/self/maps").size(), 100u);
}

TEST_F(FileTest, Directories) {
  create_directories(in("a/b//c/"));
  create_directories(in("a/b/c"));
  EXPECT_TRUE(is_directory(in("a/b/c")));
  write_file_atomic(in("a/file"), "");
  EXPECT_FALSE(is_directory(in("a/file")));
  EXPECT_TRUE(
      contains(io_message([&] { create_directories(in("a/file/d")); }), "is not a directory"));
  EXPECT_THROW(create_directories(""), Error);
  for (const char* name : {"z", "B", "10", "9"}) write_file_atomic(in(name), "");
  EXPECT_EQ(list_directory(folder_), (std::vector<std::string>{"10", "9", "B", "a", "z"}));
}

TEST_F(FileTest, OneFileHasManyPaths) {
  write_file_atomic(in("x"), "x");
  write_file_atomic(in("y"), "x");
  ASSERT_EQ(::symlink("x", in("link").c_str()), 0);
  EXPECT_TRUE(same_file(in("x"), in("./x")));
  EXPECT_TRUE(same_file(in("x"), in("link")));
  EXPECT_FALSE(same_file(in("x"), in("y")));
  EXPECT_FALSE(same_file(in("none"), in("none")));
}

TEST_F(FileTest, RemoveTreeDoesNotFollowLinks) {
  create_directories(in("keep"));
  write_file_atomic(in("keep/x"), "x");
  create_directories(in("gone/deep"));
  write_file_atomic(in("gone/deep/y"), "y");
  ASSERT_EQ(::symlink(in("keep").c_str(), in("gone/link").c_str()), 0);
  remove_tree(in("gone"));
  remove_tree(in("gone"));
  EXPECT_FALSE(file_exists(in("gone")));
  EXPECT_TRUE(file_exists(in("keep/x")));
  if (file_exists("/proc/self/status")) {
    EXPECT_THROW(remove_tree("/proc/self/status"), Error);
  }
}

TEST_F(FileTest, RenamePathReplaces) {
  write_file_atomic(in("a"), "a");
  write_file_atomic(in("b"), "b");
  rename_path(in("a"), in("b"));
  EXPECT_EQ(read_file(in("b")), "a");
  EXPECT_FALSE(file_exists(in("a")));
}

TEST_F(FileTest, FailedReadsAndPathsThroughFilesAreErrors) {
  EXPECT_TRUE(contains(io_message([] { (void)read_file("/proc/self/mem"); }), "/proc/self/mem"));
  write_file_atomic(in("plain"), "x");
  EXPECT_TRUE(contains(io_message([&] { remove_tree(in("plain/x")); }), "plain/x"));
  EXPECT_EQ(read_file(in("plain")), "x");
}

}  // namespace
}  // namespace gyre
