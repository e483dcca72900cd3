#include "gyre/logic/syntax/words.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/logic_tree.h"

namespace gyre::logic {
namespace {

TEST(LogicWords, KeywordsAreListedOnce) {
  std::set<std::string_view> names;
  for (const Keyword& k : keywords()) {
    EXPECT_TRUE(names.insert(k.name).second) << k.name;
    EXPECT_FALSE(std::string_view(k.doc).empty()) << k.name;
    EXPECT_EQ(find_keyword(k.name), &k);
  }
  EXPECT_EQ(find_keyword("Alice"), nullptr);
}

TEST(LogicWords, OnlyReservedKeywordsAreNoNames) {
  for (const Keyword& k : keywords()) {
    const bool is_name = k.name != "true" && k.name != "false";
    const std::string text = "A = " + std::string(k.name);
    EXPECT_EQ(parsed(text).has_errors, k.kind == Keyword::reserved) << text;
    if (!is_name) continue;
    EXPECT_EQ(parsed(std::string(k.name) + " = 1").has_errors, k.kind == Keyword::reserved);
  }
}

TEST(LogicWords, BuiltinsAreListedOnce) {
  std::set<std::string_view> names;
  for (const Builtin& b : builtins()) {
    EXPECT_TRUE(names.insert(b.name).second) << b.name;
    EXPECT_EQ(find_builtin(b.name), &b);
    EXPECT_LE(b.least, b.most) << b.name;
  }
  EXPECT_EQ(find_builtin("relu"), nullptr);
  EXPECT_TRUE(is_builtin("xavier", Builtin::initializer));
  EXPECT_FALSE(is_builtin("xavier", Builtin::along));
}

TEST(LogicWords, ProjectionsHaveTheNamesOfReductions) {
  EXPECT_EQ(projection_before_equals("max"), Projection::max);
  EXPECT_EQ(projection_before_equals("avg"), Projection::mean);
  for (const char* word : {"sum", "prod", "softmax", "zeros", "x"})
    EXPECT_EQ(projection_before_equals(word), std::nullopt) << word;
  EXPECT_EQ(projection_of(BuiltinId::prod), Projection::product);
  EXPECT_EQ(projection_of(BuiltinId::sum), Projection::sum);
}

}  // namespace
}  // namespace gyre::logic
