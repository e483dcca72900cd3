#include "gyre/base/child_process.h"

#include <gtest/gtest.h>

#include <vector>

#include "gyre/base/error.h"

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
  try {
    ChildProcess child(none);
    FAIL() << "started";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Code::io);
    EXPECT_NE(std::string(error.what()).find("no-such-program-of-gyre"), std::string::npos);
  }
}

}  // namespace
}  // namespace gyre
