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

TEST(Relation, KeepsItsTuplesInEveryLayout) {
  constexpr RelationLayout kLayouts[] = {RelationLayout::rows, RelationLayout::bits,
                                         RelationLayout::sets};
  for (RelationLayout from : kLayouts) {
    for (RelationLayout to : kLayouts) {
      Relation relation(2);
      std::set<std::vector<uint32_t>> expected;
      for (uint64_t i = 0; i < 300; ++i) {
        const std::vector<uint32_t> pair{static_cast<uint32_t>(draw(1, 2 * i) % 70),
                                         static_cast<uint32_t>(draw(1, 2 * i + 1) % 150)};
        relation.insert(pair);
        expected.insert(pair);
      }
      relation.set_layout(from);
      relation.set_layout(to);
      EXPECT_EQ(relation.layout(), to);
      std::vector<uint32_t> sorted;
      for (const auto& t : expected) sorted.insert(sorted.end(), t.begin(), t.end());
      EXPECT_EQ(relation.sorted(), sorted);
      EXPECT_EQ(relation.size(), static_cast<int64_t>(expected.size()));
      for (uint32_t x = 0; x < 72; ++x) {
        for (uint32_t y = 0; y < 152; ++y) {
          EXPECT_EQ(relation.contains(std::vector<uint32_t>{x, y}), expected.count({x, y}) == 1);
        }
      }
      Relation copy = relation;
      EXPECT_TRUE(copy.insert(std::vector<uint32_t>{500, 7}));
      EXPECT_FALSE(copy.insert(std::vector<uint32_t>{500, 7}));
      copy.insert_all(sorted);
      EXPECT_EQ(copy.size(), relation.size() + 1);
    }
  }
}

TEST(Relation, RejectsLayoutsThatDoNotFit) {
  Relation triple(3), wide(2);
  EXPECT_EQ(code_of([&] { triple.set_layout(RelationLayout::bits); }), Code::value);
  EXPECT_EQ(code_of([&] { triple.set_layout(RelationLayout::sets); }), Code::value);
  wide.insert(std::vector<uint32_t>{UINT32_MAX, UINT32_MAX});
  EXPECT_EQ(code_of([&] { wide.set_layout(RelationLayout::bits); }), Code::resource);
  EXPECT_EQ(code_of([&] { wide.set_layout(RelationLayout::sets); }), Code::resource);
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

TEST(Relation, KnowsABoundOfItsNumbersInEveryLayout) {
  Relation relation(2);
  EXPECT_EQ(relation.number_bound(), 0U);
  relation.insert(std::vector<uint32_t>{3, 70});
  relation.insert(std::vector<uint32_t>{90, 2});
  for (const RelationLayout layout :
       {RelationLayout::rows, RelationLayout::bits, RelationLayout::sets}) {
    relation.set_layout(layout);
    EXPECT_EQ(relation.number_bound(), 91U) << name_of(layout);
  }
  relation.set_layout(RelationLayout::rows);
  relation.insert(std::vector<uint32_t>{UINT32_MAX, 0});
  EXPECT_EQ(relation.number_bound(), uint64_t{1} << 32);
}

}  // namespace
}  // namespace gyre
