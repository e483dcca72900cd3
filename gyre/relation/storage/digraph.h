#pragma once
#include <cstdint>
#include <span>

#include "gyre/base/memory/large_vector.h"
#include "gyre/relation/relation.h"

namespace gyre {

/// A directed graph over nodes 0 to nodes() - 1 as compressed sparse rows.
struct Digraph {
  LargeVector<int64_t> begins{0};  ///< offsets into `targets`, nodes() + 1
  LargeVector<uint32_t> targets{};

  [[nodiscard]] uint32_t nodes() const { return static_cast<uint32_t>(begins.size() - 1); }
  [[nodiscard]] std::span<const uint32_t> of(uint32_t node) const {
    return {targets.data() + begins[node], targets.data() + begins[node + size_t{1}]};
  }
};

/// A binary relation as edges of a graph, possibly from the second to the first column.
struct EdgeSource {
  const Relation* relation;
  bool reversed = false;

  friend bool operator==(const EdgeSource&, const EdgeSource&) = default;
};

/// One more than the largest number in these binary relations.
uint64_t node_count(std::span<const EdgeSource> sources);

/// The graph of the edges of all sources, over `nodes` nodes, more than every number of theirs.
/// Error{resource} for 2^32 nodes or more.
Digraph make_digraph(std::span<const EdgeSource> sources, uint64_t nodes);

/// The graph with all edges reversed; its targets ascend.
Digraph transposed(const Digraph& graph);

/// The strongly connected components of a graph.
struct StrongComponents {
  LargeVector<uint32_t> of{};       ///< the component of each node
  LargeVector<uint32_t> members{};  ///< the nodes by component
  LargeVector<uint32_t> begins{0};  ///< offsets into `members`, count() + 1

  [[nodiscard]] uint32_t count() const { return static_cast<uint32_t>(begins.size() - 1); }
  [[nodiscard]] std::span<const uint32_t> nodes(uint32_t component) const {
    return std::span(members).subspan(begins[component],
                                      begins[component + size_t{1}] - begins[component]);
  }
};

/// Tarjan's algorithm (1972). Components are numbered in reverse topological order: an edge
/// between two leads to the lower number.
StrongComponents strong_components(const Digraph& graph);

}  // namespace gyre
