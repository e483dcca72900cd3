#include "gyre/text/bpe/merge_table.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace gyre {
namespace {

/// Naive reference: lowest rank, leftmost, one merge at a time.
std::vector<int32_t> by_definition(const std::vector<Merge>& merges, std::vector<int32_t> symbols) {
  std::map<std::pair<int32_t, int32_t>, size_t> ranks;
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    ranks[{merges[rank].left, merges[rank].right}] = rank;
  }
  for (;;) {
    size_t best = SIZE_MAX, place = 0;
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto found = ranks.find({symbols[i], symbols[i + 1]});
      if (found == ranks.end() || found->second >= best) continue;
      best = found->second;
      place = i;
    }
    if (best == SIZE_MAX) return symbols;
    symbols[place] = merges[best].product;
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

TEST(MergeTable, AgreesWithTheDefinitionAtEveryLength) {
  uint64_t state = 3;
  const auto draw = [&](int below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int32_t>((state >> 33) % static_cast<uint64_t>(below));
  };
  for (int round = 0; round < 300; ++round) {
    std::vector<Merge> merges;  // pairs may repeat, products may have several pairs
    for (int i = 0; i < 60; ++i) merges.push_back({draw(4 + i), draw(4 + i), 4 + draw(60)});
    const MergeTable table(merges);
    for (const int length : {0, 1, 2, 5, 39, 40, 41, 42, 100, 300}) {
      std::vector<int32_t> symbols;
      for (int i = 0; i < length; ++i) symbols.push_back(draw(4));
      const std::vector<int32_t> expected = by_definition(merges, symbols);
      table.apply(symbols);
      ASSERT_EQ(symbols, expected) << "length " << length;
    }
  }
}

TEST(MergeTable, EmptyTable) {
  std::vector<int32_t> symbols = {1, 2, 3};
  MergeTable({}).apply(symbols);
  EXPECT_EQ(symbols, (std::vector<int32_t>{1, 2, 3}));
}

// Tokens 1 and 2 make 3 in either order: with one rank for both the leftmost pair is first.
TEST(MergeTable, MergesOfAProductMayHaveOneRank) {
  const std::vector<Merge> merges{{1, 2, 3}, {2, 1, 3}};
  for (const size_t fillers : {0, 60}) {  // short and long inputs
    std::vector<int32_t> own{2, 1, 2}, shared = own;
    own.insert(own.end(), fillers, 9);
    shared.insert(shared.end(), fillers, 9);
    MergeTable(merges).apply(own);
    MergeTable(merges, true).apply(shared);
    EXPECT_EQ(std::vector<int32_t>(own.begin(), own.begin() + 2), (std::vector<int32_t>{2, 3}));
    EXPECT_EQ(std::vector<int32_t>(shared.begin(), shared.begin() + 2),
              (std::vector<int32_t>{3, 2}));
  }
}

}  // namespace
}  // namespace gyre
