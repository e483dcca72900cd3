#include "gyre/embed/picture/taxonomy_branches.h"

#include <algorithm>

namespace gyre {
namespace {

constexpr int64_t kLeastShare = 100;  // a branch has at least 1 / kLeastShare of the nodes

}  // namespace

Branches branches_of(const Taxonomy& closure, const Taxonomy& edges, size_t most) {
  const std::vector<int64_t> below = closure.count_below();
  const auto nodes = static_cast<size_t>(closure.nodes());
  const int64_t least = std::max<int64_t>(2, closure.nodes() / kLeastShare);
  std::vector<std::vector<uint32_t>> parts(nodes);  // direct children of each node
  for (uint32_t node = 0; node < nodes; ++node) {
    for (uint32_t up : edges.above_of(node)) {
      const bool smaller = !closure.is_above(node, up);  // false if both lie on a cycle
      if (smaller && below[node] + 1 >= least) parts[up].push_back(node);
    }
  }
  std::vector<uint32_t> heads, whole;  // whole: those that cannot be split further
  for (uint32_t node = 0; node < nodes; ++node) {
    if (closure.above_of(node).empty() && below[node] + 1 >= least) heads.push_back(node);
  }
  auto smaller = [&](uint32_t a, uint32_t b) {
    return below[a] != below[b] ? below[a] < below[b] : a > b;
  };
  while (!heads.empty() && heads.size() + whole.size() < most) {
    const auto largest = std::max_element(heads.begin(), heads.end(), smaller);
    const uint32_t head = *largest;
    heads.erase(largest);
    size_t fresh = 0;
    for (uint32_t part : parts[head]) {
      fresh += std::find(heads.begin(), heads.end(), part) == heads.end();
    }
    if (fresh == 0 || heads.size() + whole.size() + fresh > most) {
      whole.push_back(head);
      continue;
    }
    for (uint32_t part : parts[head]) {
      if (std::find(heads.begin(), heads.end(), part) == heads.end()) heads.push_back(part);
    }
  }
  heads.insert(heads.end(), whole.begin(), whole.end());
  std::sort(heads.begin(), heads.end(), [&](uint32_t a, uint32_t b) { return smaller(b, a); });
  if (heads.size() > most) heads.resize(most);

  Branches result{heads, std::vector<int32_t>(nodes, -1)};
  for (size_t h = heads.size(); h-- > 0;) result.branch[heads[h]] = static_cast<int32_t>(h);
  for (uint32_t node = 0; node < nodes; ++node) {
    int32_t& branch = result.branch[node];
    for (uint32_t up : closure.above_of(node)) {
      const auto found = std::find(heads.begin(), heads.end(), up);
      // the smallest branch that contains the node
      if (found != heads.end())
        branch = std::max(branch, static_cast<int32_t>(found - heads.begin()));
    }
  }
  return result;
}

}  // namespace gyre
