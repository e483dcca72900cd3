#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gyre/base/text/name_table.h"

namespace gyre {

/// An arrow of a taxonomy: `below` is a kind, a part or an instance of `above`.
struct TaxonomyEdge {
  uint32_t below, above;
};

/// Nodes with names and, of each, the nodes above it.
struct Taxonomy {
  NameTable names{};
  std::vector<int64_t> begins{0};  ///< nodes + 1 places in `above`
  std::vector<uint32_t> above{};   ///< of each node ascending; none twice, not the node itself

  [[nodiscard]] int64_t nodes() const { return names.size(); }
  [[nodiscard]] int64_t pairs() const { return static_cast<int64_t>(above.size()); }
  [[nodiscard]] std::span<const uint32_t> above_of(uint32_t node) const {
    return std::span(above).subspan(static_cast<size_t>(begins[node]),
                                    static_cast<size_t>(begins[node + 1] - begins[node]));
  }
  [[nodiscard]] bool is_above(uint32_t up, uint32_t node) const;
  /// How many nodes each node is above of.
  [[nodiscard]] std::vector<int64_t> count_below() const;
  /// XXH64 of names and pairs.
  [[nodiscard]] uint64_t checksum() const;
};

/// The taxonomy of edges between the nodes of `names`; edges that come again count once.
/// `repeated`, if given, gets their number. No edge goes from a node to itself.
Taxonomy make_taxonomy(NameTable names, std::span<const TaxonomyEdge> edges,
                       int64_t* repeated = nullptr);

/// What a transitive closure found.
struct Closure {
  Taxonomy taxonomy;              ///< a pair for every path; none from a node to itself
  int64_t cyclic = 0;             ///< nodes that lie on a cycle
  std::vector<uint32_t> cycle{};  ///< one of the shortest cycles of the first such node
};
/// The transitive closure. Error{resource} when it has more than `most_pairs` pairs.
Closure transitive_closure(const Taxonomy& taxonomy, int64_t most_pairs = int64_t{1} << 30);

/// As few pairs as have the same closure: without cycles those that no path through another node
/// explains. A cycle becomes a ring, whose first node has the pairs of all its nodes with others.
Taxonomy transitive_reduction(const Taxonomy& closure);

/// The part of a taxonomy that some of its nodes, given ascending, and the pairs between them are.
Taxonomy part_of(const Taxonomy& taxonomy, std::span<const uint32_t> nodes);

}  // namespace gyre
