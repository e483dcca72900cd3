#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/base/text/name_table.h"

namespace gyre {

/// A directed edge of a taxonomy: `below` is a kind, a part or an instance of `above`.
struct TaxonomyEdge {
  uint32_t below, above;
};

/// Named nodes and the hypernyms (nodes above) of each.
struct Taxonomy {
  NameTable names{};
  std::vector<int64_t> begins{0};  ///< CSR offsets into `above`, nodes + 1
  std::vector<uint32_t> above{};   ///< per node ascending, unique, without the node itself

  [[nodiscard]] int64_t nodes() const { return names.size(); }
  [[nodiscard]] int64_t pairs() const { return static_cast<int64_t>(above.size()); }
  [[nodiscard]] std::span<const uint32_t> above_of(uint32_t node) const {
    return std::span(above).subspan(static_cast<size_t>(begins[node]),
                                    static_cast<size_t>(begins[node + 1] - begins[node]));
  }
  [[nodiscard]] bool is_above(uint32_t up, uint32_t node) const;
  /// The number of nodes below each node.
  [[nodiscard]] std::vector<int64_t> count_below() const;
  /// XXH64 of names and pairs.
  [[nodiscard]] uint64_t checksum() const;
};

/// Makes a taxonomy of edges between the nodes of `names`; duplicates count once. `repeated`, if
/// given, receives their number. Requires edges without self-loops.
Taxonomy make_taxonomy(NameTable names, std::span<const TaxonomyEdge> edges,
                       int64_t* repeated = nullptr);

/// Result of transitive_closure().
struct Closure {
  Taxonomy taxonomy;              ///< a pair for every path, without self-loops
  int64_t cyclic = 0;             ///< nodes that lie on a cycle
  std::vector<uint32_t> cycle{};  ///< a shortest cycle through the first such node
};
/// The transitive closure. Error{resource} for more than `most_pairs` pairs.
Closure transitive_closure(const Taxonomy& taxonomy, int64_t most_pairs = int64_t{1} << 30);

/// The transitive reduction: the fewest pairs with the same closure, without cycles those that no
/// path through another node implies. A cycle becomes a ring, whose first node carries the pairs of
/// all its nodes with other nodes.
Taxonomy transitive_reduction(const Taxonomy& closure);

/// The induced subgraph on the given nodes, in ascending order.
Taxonomy part_of(const Taxonomy& taxonomy, std::span<const uint32_t> nodes);

}  // namespace gyre
