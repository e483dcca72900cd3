#include "gyre/embed/training/pair_batches.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gyre/data/draw.h"

namespace gyre {
namespace {

constexpr double kPower = 0.75;
constexpr int kTries = 8;  // rejections before an allowed node is selected directly

// A uniform integer below n.
uint64_t below(uint64_t n, uint64_t random) { return (random >> 32) * n >> 32; }

// Random streams of one seed.
enum Stream : uint64_t { kOrder = 1, kNegatives = 2 };

uint64_t stream(uint64_t seed, Stream which, int64_t epoch) {
  return draw(draw(seed, which), static_cast<uint64_t>(epoch));
}

}  // namespace

NegativeSampler::NegativeSampler(const Taxonomy& taxonomy) : taxonomy_(taxonomy) {
  const auto n = static_cast<size_t>(taxonomy.nodes());
  const std::vector<int64_t> counts = taxonomy.count_below();
  std::vector<double> share(n);
  double sum = 0;
  for (size_t i = 0; i < n; ++i) {
    sum += share[i] = std::pow(static_cast<double>(counts[i]), kPower);
  }
  chance_.assign(n, UINT32_MAX);
  other_.resize(n);
  std::vector<uint32_t> few, many;
  for (uint32_t i = 0; i < n; ++i) {
    other_[i] = i;
    share[i] *= static_cast<double>(n) / sum;
    (share[i] < 1 ? few : many).push_back(i);
  }
  while (!few.empty() && !many.empty()) {
    const uint32_t poor = few.back(), rich = many.back();
    few.pop_back();
    chance_[poor] = static_cast<uint32_t>(share[poor] * 0x1p32);
    other_[poor] = rich;
    share[rich] -= 1 - share[poor];
    if (share[rich] < 1) {
      many.pop_back();
      few.push_back(rich);
    }
  }
}

uint32_t NegativeSampler::candidate(By by, uint64_t random) const {
  const auto place = static_cast<uint32_t>(below(chance_.size(), random));
  const bool itself = by == By::equal || static_cast<uint32_t>(random) < chance_[place];
  return itself ? place : other_[place];
}

uint32_t NegativeSampler::any_allowed(uint32_t node, uint64_t random) const {
  const auto above = taxonomy_.above_of(node);
  auto number = static_cast<uint32_t>(below(chance_.size() - above.size() - 1, random));
  bool passed = false;  // past the node itself
  for (uint32_t up : above) {
    if (!passed && node < up && node <= number) {
      ++number;
      passed = true;
    }
    if (up <= number) ++number;
  }
  return number + (!passed && node <= number ? 1 : 0);
}

void NegativeSampler::fill(By by, uint64_t key, std::span<uint32_t> out) const {
  const uint64_t n = chance_.size();
  for (size_t i = 0; i < out.size(); ++i) {
    // uniform draws: two per random word
    const uint64_t random = gyre::draw(key, by == By::equal ? i / 2 : i);
    out[i] = by == By::equal ? static_cast<uint32_t>(below(n, i % 2 == 0 ? random : random << 32))
                             : candidate(by, random);
  }
}

bool NegativeSampler::draw(uint32_t node, By by, uint64_t key, std::span<uint32_t> out) const {
  const auto above = taxonomy_.above_of(node);
  if (above.size() + 1 >= chance_.size()) return false;
  uint64_t marks = uint64_t{1} << node % 64;  // a small Bloom filter of the excluded nodes
  for (uint32_t up : above) marks |= uint64_t{1} << up % 64;
  auto refused = [&](uint32_t c) {
    return (marks >> c % 64 & 1) &&
           (c == node || std::find(above.begin(), above.end(), c) != above.end());
  };
  fill(by, key, out);
  uint64_t count = out.size();
  for (uint32_t& negative : out) {
    for (int tries = 1; tries < kTries && refused(negative); ++tries) {
      negative = candidate(by, gyre::draw(key, count++));
    }
    if (refused(negative)) negative = any_allowed(node, gyre::draw(key, count++));
  }
  return true;
}

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
