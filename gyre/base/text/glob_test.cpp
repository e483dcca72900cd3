#include "gyre/base/text/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace gyre {
namespace {

TEST(Glob, MatchesTheWholeText) {
  for (const char* pattern : {"h.0.w", "*", "h*", "*w", "h.?.w", "*0*", "h**w", "*.*.*", "h.0.w*"})
    EXPECT_TRUE(matches_glob(pattern, "h.0.w")) << pattern;
  for (const char* pattern : {"", "h", "w", "h.0", "0*", "*0", "?", "h.0.w?", "*x*", "H*"})
    EXPECT_FALSE(matches_glob(pattern, "h.0.w")) << pattern;
  EXPECT_TRUE(matches_glob("", ""));
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_FALSE(matches_glob("?", ""));
}

TEST(Glob, StarsGiveBackWhatTheyTook) {
  EXPECT_TRUE(matches_glob("*ab", "aab"));
  EXPECT_TRUE(matches_glob("a*b*b", "abcb"));
  EXPECT_FALSE(matches_glob("a*b*c", "abcb"));
  EXPECT_FALSE(matches_glob("*a*a*a*a*a*b", std::string(2000, 'a')));
}

}  // namespace
}  // namespace gyre
