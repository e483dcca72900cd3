#include "gyre/base/child_process.h"

#include <gtest/gtest.h>

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

TEST(ChildProcess, ReadsAllAndTellsTheExitCode) {
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

}  // namespace
}  // namespace gyre
