#include "gyre/embed/embedding_query.h"

#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/nearest.h"

namespace gyre {
namespace {

uint32_t node_named(const Taxonomy& taxonomy, std::string_view word, const std::string& folder) {
  if (const auto found = taxonomy.names.find(word)) return *found;
  const std::string lemma = std::string(word) + ".";
  std::vector<std::string> all;
  uint32_t best = UINT32_MAX;
  for (uint32_t node = 0; node < taxonomy.nodes(); ++node) {
    all.emplace_back(taxonomy.names[node]);
    const bool earlier = best == UINT32_MAX || taxonomy.names[node] < taxonomy.names[best];
    if (all.back().starts_with(lemma) && earlier) best = node;
  }
  if (best != UINT32_MAX) return best;
  throw Error(Code::value, "embed",
              fmt::format("{} has no node {}{}", folder, word, suggestion(word, all)), {},
              std::string(word));
}

}  // namespace

EmbeddingAnswer query_embedding(const EmbeddingFolder& folder, std::string_view word,
                                int64_t neighbours) {
  const Taxonomy taxonomy = folder.read_taxonomy();
  const PointTable points = folder.read_embedding();
  if (points.nodes() != taxonomy.nodes()) {
    throw Error(Code::value, "embed",
                fmt::format("{}: the embedding has {} points, the taxonomy {} nodes", folder.path(),
                            points.nodes(), taxonomy.nodes()));
  }
  const uint32_t node = node_named(taxonomy, word, folder.path());
  auto neighbour = [&](uint32_t other) {
    return Neighbour{std::string(taxonomy.names[other]), points.distance(node, other)};
  };
  std::vector<std::pair<double, uint32_t>> by_distance;
  for (uint32_t other = 0; other < taxonomy.nodes(); ++other) {
    if (other != node) by_distance.emplace_back(points.distance(node, other), other);
  }
  const auto count = std::min(static_cast<size_t>(neighbours), by_distance.size());
  std::partial_sort(by_distance.begin(), by_distance.begin() + static_cast<int64_t>(count),
                    by_distance.end());
  EmbeddingAnswer answer;
  answer.name = taxonomy.names[node];
  for (size_t i = 0; i < count; ++i) answer.neighbours.push_back(neighbour(by_distance[i].second));
  const std::vector<int64_t> below = taxonomy.count_below();
  std::vector<uint32_t> above(taxonomy.above_of(node).begin(), taxonomy.above_of(node).end());
  std::stable_sort(above.begin(), above.end(),
                   [&](uint32_t a, uint32_t b) { return below[a] < below[b]; });
  for (uint32_t up : above) answer.ancestors.push_back(neighbour(up));
  return answer;
}

}  // namespace gyre
