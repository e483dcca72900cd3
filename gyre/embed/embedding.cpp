#include "gyre/embed/embedding.h"

#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/text/nearest.h"

namespace gyre {

Embedding::Embedding(const EmbeddingFolder& folder)
    : path_(folder.path()),
      taxonomy_(folder.read_taxonomy()),
      points_(folder.read_embedding()),
      rows_(points_.read()) {
  if (points_.nodes() != taxonomy_.nodes()) {
    throw Error(Code::value, "embed",
                fmt::format("{}: the embedding has {} points, but the taxonomy {} nodes", path_,
                            points_.nodes(), taxonomy_.nodes()));
  }
}

uint32_t Embedding::node(std::string_view word) const {
  if (const auto found = taxonomy_.names.find(word)) return *found;
  const std::string lemma = std::string(word) + ".";
  std::vector<std::string> all;
  uint32_t best = UINT32_MAX;
  for (uint32_t node = 0; node < taxonomy_.nodes(); ++node) {
    all.emplace_back(taxonomy_.names[node]);
    const bool earlier = best == UINT32_MAX || taxonomy_.names[node] < taxonomy_.names[best];
    if (all.back().starts_with(lemma) && earlier) best = node;
  }
  if (best != UINT32_MAX) return best;
  throw Error(Code::value, "embed",
              fmt::format("{} has no node {}{}", path_, word, suggestion(word, all)), {},
              std::string(word));
}

double Embedding::distance(std::string_view a, std::string_view b) const {
  return rows_.distance(node(a), node(b));
}

EmbeddingAnswer Embedding::query(std::string_view word, int64_t neighbours) const {
  if (neighbours < 0) {
    throw Error(Code::value, "embed",
                fmt::format("`neighbours` must be 0 or more, got {}", neighbours), "0 or more",
                std::to_string(neighbours));
  }
  const uint32_t asked = node(word);
  auto neighbour = [&](uint32_t other) {
    return Neighbour{std::string(taxonomy_.names[other]), rows_.distance(asked, other)};
  };
  std::vector<std::pair<double, uint32_t>> by_distance;
  for (uint32_t other = 0; other < taxonomy_.nodes(); ++other) {
    if (other != asked) by_distance.emplace_back(rows_.distance(asked, other), other);
  }
  const auto count = std::min(static_cast<size_t>(neighbours), by_distance.size());
  std::partial_sort(by_distance.begin(), by_distance.begin() + static_cast<int64_t>(count),
                    by_distance.end());
  EmbeddingAnswer answer;
  answer.name = taxonomy_.names[asked];
  for (size_t i = 0; i < count; ++i) answer.neighbours.push_back(neighbour(by_distance[i].second));
  const std::vector<int64_t> below = taxonomy_.count_below();
  std::vector<uint32_t> above(taxonomy_.above_of(asked).begin(), taxonomy_.above_of(asked).end());
  std::stable_sort(above.begin(), above.end(),
                   [&](uint32_t a, uint32_t b) { return below[a] < below[b]; });
  for (uint32_t up : above) answer.ancestors.push_back(neighbour(up));
  return answer;
}

}  // namespace gyre
