#include "gyre/embed/reconstruction.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gyre/base/thread_pool.h"
#include "gyre/data/permutation.h"
#include "gyre/embed/training/embed_tile.h"

namespace gyre {
namespace {

constexpr int64_t kBlock = 256;   // candidates that fit in the L1 cache together
constexpr int64_t kQueries = 16;  // queries per pass over the candidates
constexpr int64_t kLanes = 8;     // counters per limit

// Points by coordinate, with their weights, in blocks for EmbedTiles::keys. The last block is
// padded with points at infinity.
class Candidates {
 public:
  Candidates(const PointRows& points, std::span<const uint32_t> nodes, int64_t block)
      : dim_(points.dim), block_(block) {
    const auto count = static_cast<int64_t>(nodes.size());
    blocks_ = (count + block - 1) / block;
    data_.assign(static_cast<size_t>(blocks_ * block * (dim_ + 1)), HUGE_VAL);
    for (int64_t i = 0; i < count; ++i) {
      const double* row = points[nodes[static_cast<size_t>(i)]];
      double* to = data_.data() + i / block * block * (dim_ + 1) + i % block;
      for (int64_t j = 0; j < dim_; ++j) to[j * block] = row[j];
      to[dim_ * block] = row[dim_ + 1];
    }
  }
  [[nodiscard]] int64_t blocks() const { return blocks_; }
  [[nodiscard]] const double* block(int64_t i) const {
    return data_.data() + i * block_ * (dim_ + 1);
  }

 private:
  int64_t dim_, block_, blocks_ = 0;
  std::vector<double> data_;
};

// A node whose parents are ranked.
struct Query {
  uint32_t node;
  std::vector<double> limits, counts;  // keys of its parents, and the number of nodes within each

  Query(const Taxonomy& taxonomy, const PointRows& points, uint32_t n) : node(n) {
    const auto above = taxonomy.above_of(n);
    const int64_t padded = (static_cast<int64_t>(above.size()) + kLanes - 1) / kLanes * kLanes;
    const Candidates parents(points, above, padded);
    limits.resize(static_cast<size_t>(padded));
    // same kernel as for the candidates, so that a parent's own key is within its limit
    embed_tiles().keys(points[n], points.dim, parents.block(0), padded, limits.data());
    limits.resize(above.size());
    std::sort(limits.begin(), limits.end());
    counts.resize(limits.size() * kLanes);
  }

  struct Figures {
    double ranks = 0, precision = 0;
  };
  [[nodiscard]] Figures figures() const {
    Figures f;
    for (size_t i = 0; i < limits.size(); ++i) {
      double within = -1;  // the node itself
      for (int64_t l = 0; l < kLanes; ++l) within += counts[i * kLanes + static_cast<size_t>(l)];
      const auto parents = static_cast<double>(
          std::upper_bound(limits.begin(), limits.end(), limits[i]) - limits.begin());
      f.ranks += 1 + within - parents;
      f.precision += parents / within;
    }
    f.precision /= static_cast<double>(limits.size());
    return f;
  }
};

std::vector<uint32_t> drawn_queries(const Taxonomy& taxonomy, int64_t most, uint64_t seed) {
  std::vector<uint32_t> all;
  for (uint32_t node = 0; node < taxonomy.nodes(); ++node) {
    if (!taxonomy.above_of(node).empty()) all.push_back(node);
  }
  const auto count = static_cast<int64_t>(all.size());
  if (count <= most) return all;
  const Permutation order(count, seed);
  std::vector<uint32_t> some;
  for (int64_t i = 0; i < most; ++i) some.push_back(all[static_cast<size_t>(order[i])]);
  return some;
}

}  // namespace

Reconstruction reconstruct(const Taxonomy& taxonomy, const PointTable& table, int64_t queries,
                           uint64_t seed) {
  const PointRows points = table.read();
  std::vector<uint32_t> everybody(static_cast<size_t>(taxonomy.nodes()));
  for (size_t i = 0; i < everybody.size(); ++i) everybody[i] = static_cast<uint32_t>(i);
  const Candidates candidates(points, everybody, kBlock);
  const std::vector<uint32_t> nodes = drawn_queries(taxonomy, queries, seed);
  std::vector<Query::Figures> figures(nodes.size());
  parallel_for(static_cast<int64_t>(nodes.size()), kQueries, [&](int64_t begin, int64_t end) {
    std::vector<Query> here;
    for (int64_t q = begin; q < end; ++q) {
      here.emplace_back(taxonomy, points, nodes[static_cast<size_t>(q)]);
    }
    for (int64_t b = 0; b < candidates.blocks(); ++b) {
      for (Query& q : here) {
        embed_tiles().within(points[q.node], points.dim, candidates.block(b), kBlock,
                             q.limits.data(), static_cast<int64_t>(q.limits.size()),
                             q.counts.data());
      }
    }
    for (int64_t q = begin; q < end; ++q) {
      figures[static_cast<size_t>(q)] = here[static_cast<size_t>(q - begin)].figures();
    }
  });
  double ranks = 0, precision = 0, pairs = 0;
  for (size_t q = 0; q < nodes.size(); ++q) {
    ranks += figures[q].ranks;
    precision += figures[q].precision;
    pairs += static_cast<double>(taxonomy.above_of(nodes[q]).size());
  }
  return {ranks / pairs, precision / static_cast<double>(nodes.size())};
}

}  // namespace gyre
