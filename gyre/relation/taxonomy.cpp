#include "gyre/relation/taxonomy.h"

#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/xxhash64.h"
#include "gyre/relation/closure/reachability.h"

namespace gyre {
namespace {

constexpr uint32_t kNobody = UINT32_MAX;

// A shortest cycle through a node that lies on one, by breadth-first search.
std::vector<uint32_t> shortest_cycle(const Taxonomy& taxonomy, uint32_t node) {
  std::vector<uint32_t> reached_by(static_cast<size_t>(taxonomy.nodes()), kNobody), found{node};
  for (size_t next = 0; reached_by[node] == kNobody; ++next) {
    for (uint32_t up : taxonomy.above_of(found[next])) {
      if (reached_by[up] != kNobody) continue;
      reached_by[up] = found[next];
      found.push_back(up);
    }
  }
  std::vector<uint32_t> way{node};
  for (uint32_t at = reached_by[node]; at != node; at = reached_by[at]) way.push_back(at);
  std::reverse(way.begin() + 1, way.end());
  return way;
}

}  // namespace

bool Taxonomy::is_above(uint32_t up, uint32_t node) const {
  const auto above = above_of(node);
  return std::binary_search(above.begin(), above.end(), up);
}

std::vector<int64_t> Taxonomy::count_below() const {
  std::vector<int64_t> counts(static_cast<size_t>(nodes()));
  for (uint32_t up : above) ++counts[up];
  return counts;
}

uint64_t Taxonomy::checksum() const {
  Xxhash64 hash;
  for (int64_t i = 0; i < nodes(); ++i) {
    hash.update(names[static_cast<uint32_t>(i)]);
    hash.update(std::string_view("\n"));
  }
  hash.update(std::as_bytes(std::span(begins)));
  hash.update(std::as_bytes(std::span(above)));
  return hash.digest();
}

Taxonomy make_taxonomy(NameTable names, std::span<const TaxonomyEdge> edges, int64_t* repeated) {
  Taxonomy t;
  t.names = std::move(names);
  const auto nodes = static_cast<size_t>(t.nodes());
  std::vector<int64_t> places(nodes + 1);
  for (const TaxonomyEdge& e : edges) ++places[e.below + 1];
  for (size_t i = 0; i < nodes; ++i) places[i + 1] += places[i];
  t.above.resize(edges.size());
  std::vector<int64_t> next(places.begin(), places.end() - 1);
  for (const TaxonomyEdge& e : edges) t.above[static_cast<size_t>(next[e.below]++)] = e.above;
  t.begins.assign(nodes + 1, 0);
  auto kept = t.above.begin();
  for (size_t i = 0; i < nodes; ++i) {
    auto begin = t.above.begin() + places[i], end = t.above.begin() + places[i + 1];
    std::sort(begin, end);
    kept = std::move(begin, std::unique(begin, end), kept);
    t.begins[i + 1] = kept - t.above.begin();
  }
  if (repeated) *repeated = t.above.end() - kept;
  t.above.erase(kept, t.above.end());
  return t;
}

namespace {

[[noreturn]] void refuse_closure(int64_t most_pairs) {
  throw Error(Code::resource, "closure",
              fmt::format("the transitive closure has more than {} pairs", most_pairs));
}

// The sets of nodes above each node. A node on a cycle is above itself, which is not a pair.
RowSets sets_above(const Taxonomy& taxonomy, int64_t most_pairs) {
  FixpointLimits limits;
  limits.tuples = most_pairs;
  FixpointMeter meter(limits, nullptr);
  const Digraph steps{{taxonomy.begins.begin(), taxonomy.begins.end()},
                      {taxonomy.above.begin(), taxonomy.above.end()}};
  try {
    return reachability(steps, steps, {meter, 0, taxonomy.nodes()});
  } catch (const LimitError&) {
    refuse_closure(most_pairs);
  }
}

}  // namespace

Closure transitive_closure(const Taxonomy& taxonomy, int64_t most_pairs) {
  Closure result;
  Taxonomy& closed = result.taxonomy;
  closed.names = taxonomy.names;
  const auto nodes = static_cast<uint32_t>(taxonomy.nodes());
  closed.begins.reserve(nodes + size_t{1});
  const RowSets reached = sets_above(taxonomy, most_pairs);
  int64_t pairs = reached.size();
  for (uint32_t node = 0; node < nodes; ++node) {
    if (!reached.row(node).contains(node)) continue;
    --pairs;
    if (result.cyclic++ == 0) result.cycle = shortest_cycle(taxonomy, node);
  }
  if (pairs > most_pairs) refuse_closure(most_pairs);
  closed.above.reserve(static_cast<size_t>(pairs));
  for (uint32_t node = 0; node < nodes; ++node) {
    reached.row(node).for_each([&](uint32_t up) {
      if (up != node) closed.above.push_back(up);
      return true;
    });
    closed.begins.push_back(closed.pairs());
  }
  return result;
}

Taxonomy transitive_reduction(const Taxonomy& closure) {
  Taxonomy reduced;
  reduced.names = closure.names;
  const auto nodes = static_cast<uint32_t>(closure.nodes());
  std::vector<uint32_t> first(nodes, kNobody), next(nodes, kNobody);  // of the cycle of each node
  for (uint32_t node = 0; node < nodes; ++node) {
    if (first[node] != kNobody) continue;
    first[node] = node;
    uint32_t last = node;
    for (uint32_t up : closure.above_of(node)) {
      if (!closure.is_above(node, up)) continue;
      first[up] = node;
      last = next[last] = up;
    }
    if (last != node) next[last] = node;
  }
  std::vector<uint32_t> explained_for(nodes, kNobody);
  for (uint32_t node = 0; node < nodes; ++node) {
    if (next[node] != kNobody) reduced.above.push_back(next[node]);
    if (first[node] == node) {
      auto others = [&](uint32_t below, const auto& visit) {
        for (uint32_t up : closure.above_of(below)) {
          if (first[up] == up && up != first[below]) visit(up);
        }
      };
      others(node, [&](uint32_t up) {
        others(up, [&](uint32_t further) { explained_for[further] = node; });
      });
      others(node, [&](uint32_t up) {
        if (explained_for[up] != node) reduced.above.push_back(up);
      });
    }
    std::sort(reduced.above.begin() + reduced.begins.back(), reduced.above.end());
    reduced.begins.push_back(reduced.pairs());
  }
  return reduced;
}

Taxonomy part_of(const Taxonomy& taxonomy, std::span<const uint32_t> nodes) {
  Taxonomy part;
  std::vector<uint32_t> number(static_cast<size_t>(taxonomy.nodes()), kNobody);
  for (uint32_t node : nodes) number[node] = part.names.add(taxonomy.names[node]);
  for (uint32_t node : nodes) {
    for (uint32_t up : taxonomy.above_of(node)) {
      if (number[up] != kNobody) part.above.push_back(number[up]);
    }
    part.begins.push_back(part.pairs());
  }
  return part;
}

}  // namespace gyre
