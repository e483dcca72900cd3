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

}  // namespace
}  // namespace gyre
