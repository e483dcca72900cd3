#include "gyre/text/token_ids.h"

#include <gtest/gtest.h>

#include "gyre/base/error.h"
#include "gyre/base/text/comma_items.h"

namespace gyre {
namespace {

using Ids = std::vector<int32_t>;

std::string complaint_about(std::string_view text) {
  try {
    static_cast<void>(parse_token_ids(items_of(text), "asks"));
  } catch (const Error& e) {
    EXPECT_EQ(e.code, Code::value);
    EXPECT_EQ(e.op, "asks");
    return e.actual;
  }
  return "none";
}

TEST(TokenIds, ParseTheItemsOfAList) {
  EXPECT_EQ(parse_token_ids(items_of(""), "asks"), Ids());
  EXPECT_EQ(parse_token_ids(items_of("7"), "asks"), Ids({7}));
  EXPECT_EQ(parse_token_ids(items_of("1,2147483647,0"), "asks"), Ids({1, 2147483647, 0}));
  EXPECT_EQ(parse_token_ids(items_of(" 1, 2 ,\t3\n"), "asks"), Ids({1, 2, 3}));
}

TEST(TokenIds, ErrorsNameTheInvalidId) {
  EXPECT_EQ(complaint_about("1, two ,3"), "two");
  EXPECT_EQ(complaint_about("1,-2"), "-2");
  EXPECT_EQ(complaint_about("1,2147483648"), "2147483648");
  EXPECT_EQ(complaint_about("1 2"), "1 2");
  EXPECT_EQ(complaint_about("1.5"), "1.5");
  for (const char* text : {" ", "1,,2", "1,", ","}) EXPECT_EQ(complaint_about(text), "") << text;
}

}  // namespace
}  // namespace gyre
