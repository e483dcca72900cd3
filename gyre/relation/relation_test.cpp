#include "gyre/relation/relation.h"

#include <gtest/gtest.h>

#include <set>

#include "gyre/data/draw.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

TEST(Relation, IsASetOfTuples) {
  for (int arity = 0; arity <= 5; ++arity) {
    Relation relation(arity);
    std::set<std::vector<uint32_t>> expected;
    for (uint64_t i = 0; i < 2000; ++i) {
      std::vector<uint32_t> tuple;
      for (int c = 0; c < arity; ++c) {
        const auto x = static_cast<uint32_t>(draw(1, 8 * i + static_cast<uint64_t>(c)) % 7);
        tuple.push_back(x == 6 ? UINT32_MAX : x);
      }
      EXPECT_EQ(relation.contains(tuple), expected.count(tuple) == 1);
      EXPECT_EQ(relation.insert(tuple), expected.insert(tuple).second);
    }
    EXPECT_EQ(relation.size(), static_cast<int64_t>(expected.size()));
    std::vector<uint32_t> sorted;
    for (const auto& t : expected) sorted.insert(sorted.end(), t.begin(), t.end());
    EXPECT_EQ(relation.sorted(), sorted);
    Relation again(arity);
    if (arity == 0) continue;
    sorted.insert(sorted.end(), sorted.begin(), sorted.end());
    again.insert_all(sorted);
    EXPECT_EQ(again.sorted(), relation.sorted());
    EXPECT_GT(again.bytes(), 0);
  }
}

TEST(Relation, RejectsOtherShapes) {
  EXPECT_EQ(code_of([] { Relation(17); }), Code::value);
  EXPECT_EQ(code_of([] { Relation(-1); }), Code::value);
  Relation pairs(2), condition(0);
  const std::vector<uint32_t> three{1, 2, 3};
  EXPECT_EQ(code_of([&] { pairs.insert(three); }), Code::shape);
  EXPECT_EQ(code_of([&] { (void)pairs.contains(three); }), Code::shape);
  EXPECT_EQ(code_of([&] { pairs.insert_all(three); }), Code::shape);
  EXPECT_EQ(code_of([&] { condition.insert_all(three); }), Code::shape);
}

}  // namespace
}  // namespace gyre
