#include "gyre/base/system/child_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "gyre/base/error.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

TEST(ChildProcess, AnswersLineByLine) {
  std::vector<std::string> cat{"cat"};
  ChildProcess child(cat);
  std::string line;
  for (const char* text : {"one", "", "three words here"}) {
    child.write(std::string(text) + "\n");
    ASSERT_TRUE(child.read_line(line));
    EXPECT_EQ(line, text);
  }
  child.write("half");
  child.end_input();
  ASSERT_TRUE(child.read_line(line));
  EXPECT_EQ(line, "half");
  EXPECT_FALSE(child.read_line(line));
  EXPECT_EQ(child.wait(), 0);
}

TEST(ChildProcess, ReadsAllAndReturnsTheExitCode) {
  std::vector<std::string> shell{"sh", "-c", "printf 'a\\nb'; exit 3"};
  ChildProcess child(shell);
  EXPECT_EQ(child.read_all(), "a\nb");
  EXPECT_EQ(child.wait(), 3);
  EXPECT_EQ(child.wait(), 3);
}

TEST(ChildProcess, MissingProgramIsAnError) {
  std::vector<std::string> none{"no-such-program-of-gyre"};
  EXPECT_TRUE(
      contains(message_of(Code::io, [&] { ChildProcess child(none); }), "no-such-program-of-gyre"));
}

TEST(ChildProcess, FailingPipesAreAnErrorAndDoNotLeak) {
  const auto next = [] {
    int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::close(descriptor);
    return descriptor;
  };
  const int first = next();
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  std::vector<std::string> cat{"cat"};
  for (int room : {0, 1, 2, 3}) {  // descriptors for one pipe of two, or none
    const rlimit few{static_cast<rlim_t>(first + room), before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    const std::string message = message_of(Code::io, [&] { ChildProcess child(cat); });
    ::setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_TRUE(contains(message, "cannot create a pipe")) << message;
    EXPECT_EQ(next(), first) << room;
  }
}

TEST(ChildProcess, WritingToOneThatReadsNoMoreIsAnError) {
  const auto old_handler = ::signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> deaf{"true"};
  ChildProcess child(deaf);
  const std::string more_than_a_pipe_holds(1 << 22, 'x');
  EXPECT_EQ(code_of([&] { child.write(more_than_a_pipe_holds); }), Code::io);
  EXPECT_EQ(child.wait(), 0);
  ::signal(SIGPIPE, old_handler);
}

}  // namespace
}  // namespace gyre
