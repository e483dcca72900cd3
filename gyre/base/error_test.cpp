#include "gyre/base/error.h"

#include <gtest/gtest.h>

namespace gyre {
namespace {

TEST(Error, KeepsBothSidesAsData) {
  try {
    throw Error(Code::shape, "matmul", "inner sizes differ", "[4, 3]", "[5, 2]");
  } catch (const std::runtime_error& caught) {
    const auto& e = dynamic_cast<const Error&>(caught);
    EXPECT_STREQ(e.what(), "matmul: inner sizes differ");
    EXPECT_EQ(e.code, Code::shape);
    EXPECT_EQ(e.op, "matmul");
    EXPECT_EQ(e.expected, "[4, 3]");
    EXPECT_EQ(e.actual, "[5, 2]");
  }
}

TEST(Error, SidesMayBeEmpty) {
  Error e(Code::io, "read", "cannot");
  EXPECT_TRUE(e.expected.empty());
  EXPECT_TRUE(e.actual.empty());
}

TEST(Error, EveryCodeHasItsName) {
  const char* names[] = {"shape",       "dtype", "device", "index",   "value",    "unsupported",
                         "unavailable", "io",    "parse",  "numeric", "resource", "internal"};
  for (int i = 0; i <= static_cast<int>(Code::internal); ++i) {
    EXPECT_STREQ(code_name(static_cast<Code>(i)), names[i]);
  }
}

}  // namespace
}  // namespace gyre
