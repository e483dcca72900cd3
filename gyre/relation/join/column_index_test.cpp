#include "gyre/relation/join/column_index.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/naive_fixpoint.h"

namespace gyre {
namespace {

TEST(ColumnIndex, TellsWhatItMayAllocate) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    naive::Draws draws(seed);
    const int arity = 1 + static_cast<int>(draws.below(3));
    Relation relation(arity);
    ColumnIndex index(arity, 1);
    uint32_t numbers = 10;
    for (int round = 0; round < 12; ++round) {
      for (uint32_t i = 1 + draws.below(60); i > 0; --i) {
        std::vector<uint32_t> tuple;
        for (int c = 0; c < arity; ++c) tuple.push_back(draws.below(numbers));
        relation.insert(tuple);
      }
      numbers *= 1 + draws.below(4);
      const int64_t before = index.bytes(), growth = index.growth(relation);
      index.update(relation);
      EXPECT_LE(index.bytes(), 2 * before + growth) << seed << ", round " << round;
    }
  }
}

TEST(ColumnIndex, FindsTheTuplesOfEachNumberInTheirOrder) {
  for (const uint32_t numbers : {1U, 500U, 513U, 70000U, 900000U}) {
    naive::Draws draws(numbers);
    Relation relation(2);
    for (int i = 0; i < 120000; ++i)
      relation.insert(std::vector<uint32_t>{draws.below(numbers), draws.below(300)});
    for (const uint32_t column : {0U, 1U}) {
      std::vector<std::vector<uint32_t>> expected(std::max(numbers, 300U) + 1);
      relation.for_each([&](const uint32_t* t) { expected[t[column]].push_back(t[1 - column]); });
      ColumnIndex index(2, 1U << column);
      index.update(relation);
      int64_t keys = 0;
      for (uint32_t key = 0; key < expected.size(); ++key) {
        std::vector<uint32_t> found;
        index.for_matches(relation, &key, [&](const uint32_t* t) {
          found.push_back(t[1 - column]);
          return true;
        });
        ASSERT_EQ(found, expected[key]) << key << " of " << numbers;
        keys += !found.empty();
      }
      EXPECT_EQ(index.keys(), keys);
    }
  }
}

}  // namespace
}  // namespace gyre
