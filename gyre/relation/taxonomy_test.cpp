#include "gyre/relation/taxonomy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gyre/data/draw.h"
#include "gyre/embed/picture/taxonomy_branches.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

NameTable letters(uint32_t count) {
  NameTable names;
  for (uint32_t i = 0; i < count; ++i) names.add("n" + std::to_string(i));
  return names;
}

std::vector<TaxonomyEdge> random_edges(uint32_t nodes, size_t count, uint64_t seed, bool acyclic) {
  std::vector<TaxonomyEdge> edges;
  for (uint64_t i = 0; edges.size() < count; ++i) {
    auto a = static_cast<uint32_t>(draw(seed, 2 * i) % nodes);
    auto b = static_cast<uint32_t>(draw(seed, 2 * i + 1) % nodes);
    if (a == b) continue;
    if (acyclic && a < b) std::swap(a, b);
    edges.push_back({a, b});
  }
  return edges;
}

// Warshall's algorithm.
std::set<std::pair<uint32_t, uint32_t>> all_paths(uint32_t nodes,
                                                  const std::vector<TaxonomyEdge>& edges) {
  std::vector<std::vector<bool>> reach(nodes, std::vector<bool>(nodes));
  for (const TaxonomyEdge& e : edges) reach[e.below][e.above] = true;
  for (uint32_t k = 0; k < nodes; ++k) {
    for (uint32_t i = 0; i < nodes; ++i) {
      for (uint32_t j = 0; reach[i][k] && j < nodes; ++j) {
        if (reach[k][j]) reach[i][j] = true;
      }
    }
  }
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  for (uint32_t i = 0; i < nodes; ++i) {
    for (uint32_t j = 0; j < nodes; ++j) {
      if (reach[i][j]) pairs.emplace(i, j);
    }
  }
  return pairs;
}

std::set<std::pair<uint32_t, uint32_t>> pairs_of(const Taxonomy& t) {
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  for (uint32_t node = 0; node < t.nodes(); ++node) {
    const auto above = t.above_of(node);
    EXPECT_TRUE(std::is_sorted(above.begin(), above.end()));
    for (uint32_t up : above) EXPECT_TRUE(pairs.emplace(node, up).second);
  }
  return pairs;
}

TEST(Names, HaveNumbersInOrder) {
  NameTable names;
  EXPECT_FALSE(names.find("a"));
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(names.add("name " + std::to_string(i)), static_cast<uint32_t>(i));
  }
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "name " + std::to_string(i);
    EXPECT_EQ(names.add(name), static_cast<uint32_t>(i));
    EXPECT_EQ(names.find(name), static_cast<uint32_t>(i));
    EXPECT_EQ(names[static_cast<uint32_t>(i)], name);
  }
  EXPECT_EQ(names.size(), 1000);
  EXPECT_FALSE(names.find("name"));
  EXPECT_EQ(names.add(""), 1000U);
  EXPECT_EQ(names[1000], "");
}

TEST(TaxonomyOf, DuplicateEdgesCountOnce) {
  int64_t repeated = -1;
  const std::vector<TaxonomyEdge> edges{{2, 1}, {0, 1}, {2, 0}, {2, 1}, {0, 1}};
  const Taxonomy t = make_taxonomy(letters(3), edges, &repeated);
  EXPECT_EQ(repeated, 2);
  EXPECT_EQ(t.pairs(), 3);
  EXPECT_EQ(pairs_of(t), (std::set<std::pair<uint32_t, uint32_t>>{{0, 1}, {2, 0}, {2, 1}}));
  EXPECT_EQ(t.count_below(), (std::vector<int64_t>{1, 2, 0}));
}

TEST(TaxonomyOf, ChecksumDependsOnNamesAndPairs) {
  const std::vector<TaxonomyEdge> one{{0, 1}}, other{{1, 0}};
  NameTable names;
  names.add("n0n1");
  names.add("");
  const uint64_t sum = make_taxonomy(letters(2), one).checksum();
  EXPECT_EQ(sum, make_taxonomy(letters(2), one).checksum());
  EXPECT_NE(sum, make_taxonomy(letters(2), other).checksum());
  EXPECT_NE(sum, make_taxonomy(names, one).checksum());
}

TEST(TransitiveClosure, MatchesWarshall) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const bool acyclic = seed % 2 == 0;
    const auto nodes = static_cast<uint32_t>(3 + seed);
    const std::vector<TaxonomyEdge> edges = random_edges(nodes, nodes + seed, seed, acyclic);
    auto expected = all_paths(nodes, edges);
    int64_t cyclic = 0;
    for (uint32_t i = 0; i < nodes; ++i) cyclic += static_cast<int64_t>(expected.erase({i, i}));
    const Closure closed = transitive_closure(make_taxonomy(letters(nodes), edges));
    EXPECT_EQ(pairs_of(closed.taxonomy), expected) << seed;
    EXPECT_EQ(closed.cyclic, cyclic);
    EXPECT_EQ(closed.cycle.empty(), cyclic == 0);
    EXPECT_TRUE(!acyclic || cyclic == 0);
  }
}

TEST(TransitiveClosure, ReportsACycle) {
  const std::vector<TaxonomyEdge> edges{{0, 1}, {1, 2}, {2, 3}, {3, 1}, {2, 4}};
  const Closure closed = transitive_closure(make_taxonomy(letters(5), edges));
  EXPECT_EQ(closed.cyclic, 3);
  EXPECT_EQ(closed.cycle, (std::vector<uint32_t>{1, 2, 3}));
}

TEST(TransitiveClosure, RejectsTooManyPairs) {
  std::vector<TaxonomyEdge> chain;
  for (uint32_t i = 0; i + 1 < 100; ++i) chain.push_back({i, i + 1});
  const Taxonomy t = make_taxonomy(letters(100), chain);
  EXPECT_EQ(transitive_closure(t, 4950).taxonomy.pairs(), 4950);
  const std::string said = message_of(Code::resource, [&] { (void)transitive_closure(t, 4949); });
  EXPECT_TRUE(contains(said, "more than 4949 pairs")) << said;
}

TEST(TransitiveReduction, HasTheSameClosureWithFewestPairs) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const auto nodes = static_cast<uint32_t>(5 + seed);
    const std::vector<TaxonomyEdge> edges = random_edges(nodes, 2 * nodes, seed, true);
    const Taxonomy closed = transitive_closure(make_taxonomy(letters(nodes), edges)).taxonomy;
    const Taxonomy reduced = transitive_reduction(closed);
    EXPECT_EQ(pairs_of(transitive_closure(reduced).taxonomy), pairs_of(closed));
    for (const auto& [below, above] : pairs_of(reduced)) {  // every pair is necessary
      std::vector<TaxonomyEdge> rest;
      for (const auto& [b, a] : pairs_of(reduced)) {
        if (b != below || a != above) rest.push_back({b, a});
      }
      EXPECT_FALSE(all_paths(nodes, rest).count({below, above}));
    }
  }
}

TEST(TransitiveReduction, MakesARingOfACycle) {
  const std::vector<TaxonomyEdge> edges{{0, 1}, {1, 5}, {5, 2}, {2, 1}, {2, 3}, {3, 4}};
  const Taxonomy closed = transitive_closure(make_taxonomy(letters(6), edges)).taxonomy;
  EXPECT_EQ(
      pairs_of(transitive_reduction(closed)),
      (std::set<std::pair<uint32_t, uint32_t>>{{0, 1}, {1, 2}, {2, 5}, {5, 1}, {1, 3}, {3, 4}}));
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const auto nodes = static_cast<uint32_t>(5 + seed);
    const Taxonomy whole =
        transitive_closure(make_taxonomy(letters(nodes), random_edges(nodes, nodes, seed, false)))
            .taxonomy;
    const Taxonomy reduced = transitive_reduction(whole);
    EXPECT_EQ(pairs_of(transitive_closure(reduced).taxonomy), pairs_of(whole));
    EXPECT_LE(reduced.pairs(), nodes);  // at most the number of edges that generated the closure
  }
}

TEST(PartOf, KeepsNamesAndPairsBetweenItsNodes) {
  const std::vector<TaxonomyEdge> edges{{0, 1}, {0, 3}, {3, 1}, {2, 3}};
  const std::vector<uint32_t> nodes{0, 2, 3};
  const Taxonomy part = part_of(make_taxonomy(letters(4), edges), nodes);
  EXPECT_EQ(part.names[2], "n3");
  EXPECT_EQ(pairs_of(part), (std::set<std::pair<uint32_t, uint32_t>>{{0, 2}, {1, 2}}));
}

TEST(BranchesOf, SplitTheLargest) {
  // a root with two branches, one of which has two branches
  std::vector<TaxonomyEdge> edges{{1, 0}, {2, 0}, {3, 1}, {4, 1}};
  uint32_t next = 5;
  for (uint32_t head : {2, 3, 4}) {
    for (int i = 0; i < 4; ++i) edges.push_back({next++, head});
  }
  const Taxonomy t = make_taxonomy(letters(next), edges);
  const Taxonomy closed = transitive_closure(t).taxonomy;
  const Branches three = branches_of(closed, t, 3), two = branches_of(closed, t, 2);
  EXPECT_EQ(std::set<uint32_t>(three.heads.begin(), three.heads.end()),
            (std::set<uint32_t>{2, 3, 4}));
  EXPECT_EQ(three.branch[0], -1);
  EXPECT_EQ(three.heads[static_cast<size_t>(three.branch[5])], 2U);
  EXPECT_EQ(three.heads[static_cast<size_t>(three.branch[3])], 3U);
  EXPECT_EQ(two.heads, (std::vector<uint32_t>{1, 2}));
}

TEST(BranchesOf, ACycleIsNotSplit) {
  const std::vector<TaxonomyEdge> edges{{1, 0}, {2, 1}, {3, 2}, {1, 3}, {4, 1}, {5, 0}, {6, 5}};
  const Taxonomy closed = transitive_closure(make_taxonomy(letters(7), edges)).taxonomy;
  const Branches branches = branches_of(closed, transitive_reduction(closed), 6);
  EXPECT_EQ(branches.heads, (std::vector<uint32_t>{1, 5}));
  EXPECT_EQ(branches.branch, (std::vector<int32_t>{-1, 0, 0, 0, 0, 1, 1}));
}

}  // namespace
}  // namespace gyre
