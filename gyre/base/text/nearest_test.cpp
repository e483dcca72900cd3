#include "gyre/base/text/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace gyre {
namespace {

TEST(Nearest, IsTheEditDistance) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("dropout", "drop_out"), 1u);
  EXPECT_EQ(edit_distance("ReLU", "relu"), 0u);
  EXPECT_EQ(edit_distance("wdith", "width"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("sitting", "kitten"), 3u);
}

TEST(Nearest, IsTheClosestNameOrNone) {
  const std::vector<std::string> names{"linear", "conv1d", "conv2d", "lr"};
  EXPECT_EQ(nearest("linaer", names), "linear");
  EXPECT_EQ(nearest("Conv2", names), "conv2d");
  EXPECT_EQ(nearest("softmax", names), "");
  EXPECT_EQ(nearest("xy", names), "");
  EXPECT_EQ(nearest("foo", std::vector<std::string>{"pow", "for"}), "for");
  EXPECT_EQ(nearest("swish", std::vector<std::string>{"sinh"}), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(suggestion("Conv2", names), "; did you mean conv2d?");
  EXPECT_EQ(suggestion("softmax", names), "");
}

}  // namespace
}  // namespace gyre
