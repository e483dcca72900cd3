#include "gyre/text/prefix_set.h"

#include <gtest/gtest.h>

#include <utility>

namespace gyre {
namespace {

std::vector<std::pair<int32_t, size_t>> prefixes_of(const PrefixSet& set, std::string_view text) {
  std::vector<std::pair<int32_t, size_t>> all;
  set.for_each(text, [&](int32_t number, size_t length) { all.emplace_back(number, length); });
  return all;
}

TEST(PrefixSet, FindsAllAndTheLongest) {
  const PrefixSet set({"ab", "", "a", "abcd", "b", "ab", "\xFF\x80", std::string("a\0", 2)});
  using Found = std::vector<std::pair<int32_t, size_t>>;
  EXPECT_EQ(prefixes_of(set, "abcd"), (Found{{2, 1}, {0, 2}, {3, 4}}));
  EXPECT_EQ(set.longest("abce"), 0);
  EXPECT_EQ(set.longest("abcde"), 3);
  EXPECT_EQ(set.longest("a"), 2);
  EXPECT_EQ(set.longest(std::string_view("a\0b", 3)), 7);
  EXPECT_EQ(set.longest("\xFF\x80z"), 6);
  EXPECT_EQ(set.longest("\xFF"), -1);
  EXPECT_EQ(set.longest("c"), -1);
  EXPECT_EQ(set.longest(""), -1);
  EXPECT_EQ(PrefixSet().longest("a"), -1);
  EXPECT_TRUE(PrefixSet({""}).empty());
}

}  // namespace
}  // namespace gyre
