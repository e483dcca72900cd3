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

struct Length {
  int n;
};
std::string to_string(Length length) { return std::string(static_cast<size_t>(length.n), '-'); }
enum class Side { left, right };
const char* name_of(Side side) { return side == Side::left ? "left" : "right"; }

TEST(Error, MessagesAreJoinedFromParts) {
  const std::string own = "own";
  Message m{"a ", own, ' ', std::string_view("view"), " ", 3, " ", uint8_t{7}, " ", -0.5};
  EXPECT_EQ(m.text, "a own view 3 7 -0.5");
  EXPECT_EQ((Message{Length{4}, Side::right}).text, "----right");
  EXPECT_EQ(Message().text, "");
  Error e = mismatch(Code::value, "op", {"n must be below ", 2}, {"< ", 2}, 3);
  EXPECT_STREQ(e.what(), "op: n must be below 2, got 3");
  EXPECT_EQ(e.expected, "< 2");
  EXPECT_EQ(e.actual, "3");
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
