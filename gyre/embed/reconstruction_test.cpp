#include "gyre/embed/reconstruction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/data/draw.h"
#include "tests/fewer.h"

namespace gyre {
namespace {

Taxonomy random_taxonomy(uint32_t nodes, uint64_t seed) {
  NameTable names;
  std::vector<TaxonomyEdge> edges;
  for (uint32_t i = 0; i < nodes; ++i) {
    names.add("n" + std::to_string(i));
    for (uint32_t j = 0; i > 0 && j < 2; ++j) {
      edges.push_back({i, static_cast<uint32_t>(draw(seed, 2 * i + j) % i)});
    }
  }
  return transitive_closure(make_taxonomy(std::move(names), edges)).taxonomy;
}

// The definitions, over all distances. Ties of distances are exact here too.
Reconstruction by_hand(const Taxonomy& t, const PointTable& table) {
  const PointRows points = table.read();
  double ranks = 0, precision = 0, nodes = 0;
  for (uint32_t x = 0; x < t.nodes(); ++x) {
    const auto above = t.above_of(x);
    if (above.empty()) continue;
    double sum = 0;
    for (uint32_t y : above) {
      double others = 0, parents = 0;
      for (uint32_t z = 0; z < t.nodes(); ++z) {
        if (z == x || points.distance(x, z) > points.distance(x, y)) continue;
        (std::binary_search(above.begin(), above.end(), z) ? parents : others) += 1;
      }
      ranks += 1 + others;
      sum += parents / (parents + others);
    }
    precision += sum / static_cast<double>(above.size());
    nodes += 1;
  }
  return {ranks / static_cast<double>(t.pairs()), precision / nodes};
}

void expect_same(const Reconstruction& a, const Reconstruction& b) {
  EXPECT_NEAR(a.mean_rank, b.mean_rank, 1e-12 * b.mean_rank);
  EXPECT_NEAR(a.map, b.map, 1e-12);
}

TEST(Reconstruct, MatchesTheDefinition) {
  for (Geometry g : {Geometry::poincare, Geometry::lorentz, Geometry::euclidean}) {
    for (uint32_t nodes : fewer_of(std::vector{3U, 60U, 300U, 519U})) {
      const Taxonomy t = random_taxonomy(nodes, nodes);
      std::vector<double> c;
      for (uint64_t i = 0; i < nodes * uint64_t{3}; ++i) {
        c.push_back(static_cast<double>(draw(9, i) >> 11) * 0x1p-53 - 0.5);
      }
      const PointTable points(g, 3, c);
      const Reconstruction expected = by_hand(t, points);
      for (int level = v2; level <= cpu_features().best; ++level) {
        set_isa(static_cast<Isa>(level));
        expect_same(reconstruct(t, points), expected);
      }
      set_isa(cpu_features().best);
    }
  }
}

TEST(Reconstruct, TiesCountAgainstTheEmbedding) {
  const Taxonomy t = random_taxonomy(20, 1);
  const PointTable points(Geometry::poincare, 2, std::vector<double>(40, 0.25));
  double ranks = 0, precision = 0, nodes = 0;  // all others tie with the parents
  for (uint32_t x = 0; x < 20; ++x) {
    const auto above = static_cast<double>(t.above_of(x).size());
    if (above == 0) continue;
    ranks += above * (20 - above);
    precision += above / 19;
    nodes += 1;
  }
  expect_same(reconstruct(t, points), {ranks / static_cast<double>(t.pairs()), precision / nodes});
}

TEST(Reconstruct, SampledQueries) {
  const Taxonomy t = random_taxonomy(400, 2);
  const PointTable points(Geometry::euclidean, 400, 4, 3);
  const Reconstruction all = reconstruct(t, points), many = reconstruct(t, points, 399, 1),
                       some = reconstruct(t, points, 100, 1),
                       others = reconstruct(t, points, 100, 2);
  expect_same(many, all);  // the root has no ancestors
  EXPECT_NE(some.mean_rank, all.mean_rank);
  EXPECT_NE(some.mean_rank, others.mean_rank);
  EXPECT_NEAR(some.mean_rank, all.mean_rank, 0.3 * all.mean_rank);
}

TEST(Reconstruct, IsIndependentOfThreads) {
  const Taxonomy t = random_taxonomy(300, 4);
  const PointTable points(Geometry::poincare, 300, 4, 3);
  set_num_threads(1);
  const Reconstruction one = reconstruct(t, points);
  for (int threads : {2, 3, 7}) {
    set_num_threads(threads);
    const Reconstruction many = reconstruct(t, points);
    EXPECT_EQ(many.mean_rank, one.mean_rank);
    EXPECT_EQ(many.map, one.map);
  }
  set_num_threads(0);
}

}  // namespace
}  // namespace gyre
