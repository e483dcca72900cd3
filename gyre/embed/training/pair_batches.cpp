#include "gyre/embed/training/pair_batches.h"

#include <algorithm>
#include <utility>

#include "gyre/data/draw.h"

namespace gyre {
namespace {

// Random streams of one seed.
enum Stream : uint64_t { kOrder = 1, kNegatives = 2 };

uint64_t stream(uint64_t seed, Stream which, int64_t epoch) {
  return draw(draw(seed, which), static_cast<uint64_t>(epoch));
}

}  // namespace

PairBatches::PairBatches(const Taxonomy& taxonomy, const EmbedOptions& options)
    : taxonomy_(taxonomy), sampler_(taxonomy), options_(options) {
  below_.reserve(taxonomy.above.size());
  for (uint32_t node = 0; node < taxonomy.nodes(); ++node) {
    below_.insert(below_.end(), taxonomy.above_of(node).size(), node);
  }
}

void PairBatches::make(int64_t epoch, int64_t number, PairBatch& out) const {
  const auto by =
      epoch < options_.burn_in ? NegativeSampler::By::frequency : NegativeSampler::By::equal;
  const int64_t begin = number * options_.batch_size,
                end = std::min(begin + options_.batch_size, taxonomy_.pairs());
  const auto seed = static_cast<uint64_t>(options_.run.seed);
  const Permutation order(taxonomy_.pairs(), stream(seed, kOrder, epoch));
  const uint64_t random = stream(seed, kNegatives, epoch);
  out.pairs.resize(static_cast<size_t>((end - begin) * width()));
  uint32_t* to = out.pairs.data();
  for (int64_t place = begin; place < end; ++place) {
    const auto pair = static_cast<size_t>(order[place]);
    to[0] = below_[pair];
    to[1] = taxonomy_.above[pair];
    // without negatives there is neither a loss nor a gradient
    const bool drawn = sampler_.draw(to[0], by, draw(random, static_cast<uint64_t>(place)),
                                     std::span(to + 2, static_cast<size_t>(options_.negatives)));
    if (drawn) to += width();
  }
  out.pairs.resize(static_cast<size_t>(to - out.pairs.data()));
  invert(out);
}

// Counting sort of the gradient entries by row.
void PairBatches::invert(PairBatch& b) const {
  b.place.resize(static_cast<size_t>(taxonomy_.nodes()), 0);
  auto each = [&](auto&& visit) {
    const auto nodes = static_cast<uint32_t>(width());
    const uint32_t* node = b.pairs.data();
    for (uint32_t pair = 0; node < b.pairs.data() + b.pairs.size(); ++pair, node += nodes) {
      visit(node[0], GradientEntry{pair, GradientEntry::kIsChild});
      for (uint32_t t = 1; t < nodes; ++t) visit(node[t], {pair, t - 1});
    }
  };
  b.rows.clear();
  each([&](uint32_t node, const GradientEntry&) {
    if (b.place[node]++ == 0) b.rows.push_back({node, 0});
  });
  uint32_t sum = 0;
  for (MovedRow& row : b.rows) {
    row.begin = sum;
    sum += std::exchange(b.place[row.node], sum);
  }
  b.entries.resize(sum);
  each([&](uint32_t node, const GradientEntry& entry) { b.entries[b.place[node]++] = entry; });
  for (const MovedRow& row : b.rows) b.place[row.node] = 0;
  b.rows.push_back({0, sum});
}

}  // namespace gyre
