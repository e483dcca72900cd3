#include "gyre/ops/linalg/matmul.h"

#include <gtest/gtest.h>

#include "gyre/ops/create/create.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

TEST(Matmul, SaysWhichInnerSizesDiffer) {
  Error e = error_of([] { matmul(ones({4, 3}), ones({2, 5})); });
  EXPECT_STREQ(e.what(), "matmul: inner sizes 3 and 2 differ, x is [4, 3], y is [2, 5]");
  EXPECT_EQ(e.expected, "3");
  EXPECT_EQ(e.actual, "2");
  e = error_of([] { linear(ones({4, 3}), ones({5, 2})); });
  EXPECT_STREQ(e.what(), "linear: inner sizes 3 and 2 differ, x is [4, 3], weight is [5, 2]");
  EXPECT_EQ(e.expected, "3");
  EXPECT_EQ(e.actual, "2");
}

}  // namespace
}  // namespace gyre
