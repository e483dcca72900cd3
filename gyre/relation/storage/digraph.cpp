#include "gyre/relation/storage/digraph.h"

#include <algorithm>

#include "gyre/base/error.h"

namespace gyre {
namespace {

constexpr uint32_t kUnvisited = UINT32_MAX;

// The state of Tarjan's depth-first search, with a stack of its own.
class ComponentSearch {
 public:
  explicit ComponentSearch(const Digraph& graph) : graph_(graph), low_(graph.nodes(), kUnvisited) {
    found_.of.assign(graph.nodes(), kUnvisited);
    found_.members.reserve(graph.nodes());
  }

  StrongComponents run() {
    for (uint32_t node = 0; node < graph_.nodes(); ++node) {
      if (low_[node] == kUnvisited) search(node);
    }
    return std::move(found_);
  }

 private:
  struct Visit {
    uint32_t node, index;
    const uint32_t *next, *end;
  };

  void enter(uint32_t node) {
    const auto targets = graph_.of(node);
    if (targets.empty()) {  // its own component: most nodes of a tree
      low_[node] = visited_++;
      found_.of[node] = found_.count();
      found_.members.push_back(node);
      found_.begins.push_back(static_cast<uint32_t>(found_.members.size()));
      return;
    }
    low_[node] = visited_;
    visits_.push_back({node, visited_++, targets.data(), targets.data() + targets.size()});
    open_.push_back(node);
  }

  void search(uint32_t root) {
    enter(root);
    while (!visits_.empty()) {
      Visit& visit = visits_.back();
      if (visit.next == visit.end) {
        leave(visit.node, visit.index);
        continue;
      }
      const uint32_t target = *visit.next++;
      if (low_[target] == kUnvisited) {
        enter(target);
      } else if (found_.of[target] == kUnvisited) {
        low_[visit.node] = std::min(low_[visit.node], low_[target]);
      }
    }
  }

  void leave(uint32_t node, uint32_t index) {
    visits_.pop_back();
    if (low_[node] == index) {
      uint32_t member;
      do {
        member = open_.back();
        open_.pop_back();
        found_.of[member] = found_.count();
        found_.members.push_back(member);
      } while (member != node);
      found_.begins.push_back(static_cast<uint32_t>(found_.members.size()));
    } else if (!visits_.empty()) {
      uint32_t& low = low_[visits_.back().node];
      low = std::min(low, low_[node]);
    }
  }

  const Digraph& graph_;
  LargeVector<uint32_t> low_;  // lowest index known to be reached from each visited node
  std::vector<Visit> visits_{};
  std::vector<uint32_t> open_{};  // visited nodes without a component
  uint32_t visited_ = 0;
  StrongComponents found_{};
};

}  // namespace

uint64_t node_count(std::span<const EdgeSource> sources) {
  uint64_t count = 0;
  for (const EdgeSource& source : sources) {
    source.relation->for_each([&](const uint32_t* pair) {
      count = std::max<uint64_t>(count, uint64_t{std::max(pair[0], pair[1])} + 1);
    });
  }
  return count;
}

Digraph make_digraph(std::span<const EdgeSource> sources, uint64_t nodes) {
  if (nodes > UINT32_MAX) {
    throw mismatch(Code::resource, "make_digraph", "a graph may have 4,294,967,295 nodes at most",
                   UINT32_MAX, nodes);
  }
  Digraph graph;
  LargeVector<int64_t> next(nodes + size_t{1});
  for (const EdgeSource& source : sources) {
    source.relation->for_each([&](const uint32_t* pair) { ++next[pair[source.reversed]]; });
  }
  graph.begins.resize(nodes + size_t{1});
  int64_t edges = 0;
  for (size_t node = 0; node <= nodes; ++node) {
    graph.begins[node] = edges;
    edges += next[node];
    next[node] = graph.begins[node];
  }
  graph.targets.resize(static_cast<size_t>(edges));
  for (const EdgeSource& source : sources) {
    source.relation->for_each([&](const uint32_t* pair) {
      graph.targets[static_cast<size_t>(next[pair[source.reversed]]++)] = pair[!source.reversed];
    });
  }
  return graph;
}

Digraph transposed(const Digraph& graph) {
  Digraph result;
  const uint32_t nodes = graph.nodes();
  LargeVector<int64_t> next(nodes + size_t{1});
  for (uint32_t target : graph.targets) ++next[target + size_t{1}];
  for (uint32_t node = 0; node < nodes; ++node) next[node + size_t{1}] += next[node];
  result.begins = next;
  result.targets.resize(graph.targets.size());
  for (uint32_t node = 0; node < nodes; ++node) {
    for (uint32_t target : graph.of(node)) {
      result.targets[static_cast<size_t>(next[target]++)] = node;
    }
  }
  return result;
}

StrongComponents strong_components(const Digraph& graph) { return ComponentSearch(graph).run(); }

}  // namespace gyre
