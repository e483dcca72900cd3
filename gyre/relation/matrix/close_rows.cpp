#include "gyre/relation/matrix/close_rows.h"

#include <algorithm>
#include <vector>

#include "gyre/relation/matrix/bit_table.h"
#include "gyre/relation/storage/digraph.h"

namespace gyre {
namespace {

Digraph graph_of(const SparseRows& steps) {
  Digraph graph;
  const BitMatrix& matrix = steps.matrix();
  graph.begins.reserve(matrix.rows() + size_t{1});
  for (uint32_t r = 0; r < matrix.rows(); ++r) {
    if (steps.uses(r)) {
      for_bits(matrix.row(r), matrix.words(), [&](uint32_t target) {
        graph.targets.push_back(target);
        return true;
      });
    }
    graph.begins.push_back(static_cast<int64_t>(graph.targets.size()));
  }
  return graph;
}

}  // namespace

int64_t close_rows(const SparseRows& steps, BitMatrix& rows, FixpointMeter& meter) {
  const BitTiles& tiles = bit_tiles();
  const Digraph graph = graph_of(steps);
  const StrongComponents components = strong_components(graph);
  const auto words = rows.words();
  std::vector<uint32_t> taken_for(components.count(), UINT32_MAX), sources;
  std::vector<uint64_t> reached(static_cast<size_t>(words)), fresh(reached.size());
  int64_t added = 0;
  for (uint32_t c = 0; c < components.count() && added <= meter.tuples_left(); ++c) {
    const auto members = components.nodes(c);
    sources.assign(members.begin(), members.end());
    taken_for[c] = c;
    for (uint32_t member : members) {
      for (uint32_t target : graph.of(member)) {
        const uint32_t next = components.of[target];
        if (taken_for[next] == c) continue;
        taken_for[next] = c;
        sources.push_back(target);
      }
    }
    if (sources.size() == 1) continue;
    std::fill(reached.begin(), reached.end(), 0);
    tiles.gather(reached.data(), rows.row(0), words, sources.data(),
                 static_cast<int64_t>(sources.size()));
    for (uint32_t member : members) {
      added += tiles.merge(rows.row(member), fresh.data(), reached.data(), words);
    }
    meter.work(static_cast<int64_t>(sources.size() + members.size()) * (words / 8 + 1));
  }
  return added;
}

}  // namespace gyre
