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

PairBatches::PairBatches(const Taxonomy& taxonomy, int64_t batch, int64_t negatives, uint64_t seed)
    : taxonomy_(taxonomy),
      sampler_(taxonomy),
      batch_(batch),
      negatives_(negatives),
      slots_((negatives + 1 + 7) / 8 * 8),
      seed_(seed) {
  below_.reserve(taxonomy.above.size());
  for (uint32_t node = 0; node < taxonomy.nodes(); ++node) {
    below_.insert(below_.end(), taxonomy.above_of(node).size(), node);
  }
}

void PairBatches::make(int64_t epoch, int64_t number, NegativeSampler::By by,
                       PairBatch& out) const {
  const int64_t begin = number * batch_, end = std::min(begin + batch_, taxonomy_.pairs());
  const auto pairs = static_cast<size_t>(end - begin), slots = static_cast<size_t>(slots_);
  const Permutation order(taxonomy_.pairs(), stream(seed_, kOrder, epoch));
  const uint64_t random = stream(seed_, kNegatives, epoch);
  out.children.resize(pairs);
  out.counts.resize(pairs);
  out.targets.resize(pairs * slots);
  for (size_t p = 0; p < pairs; ++p) {
    const int64_t place = begin + static_cast<int64_t>(p);
    const auto pair = static_cast<size_t>(order[place]);
    uint32_t* targets = out.targets.data() + p * slots;
    out.children[p] = below_[pair];
    targets[0] = taxonomy_.above[pair];
    const bool drawn = sampler_.draw(below_[pair], by, draw(random, static_cast<uint64_t>(place)),
                                     std::span(targets + 1, static_cast<size_t>(negatives_)));
    out.counts[p] = drawn ? static_cast<uint32_t>(negatives_) + 1 : 1;
  }
  invert(out);
}

// Counting sort of the gradient entries by row.
void PairBatches::invert(PairBatch& b) const {
  const size_t pairs = b.children.size(), slots = static_cast<size_t>(slots_);
  b.place.resize(static_cast<size_t>(taxonomy_.nodes()), 0);
  b.rows.clear();
  auto each = [&](auto&& visit) {
    for (size_t p = 0; p < pairs; ++p) {
      if (b.counts[p] == 1) continue;  // only the parent: without negatives there is no gradient
      const auto pair = static_cast<uint32_t>(p);
      visit(b.children[p], GradientEntry{pair, GradientEntry::kIsChild});
      for (size_t t = p * slots; t < p * slots + b.counts[p]; ++t) {
        visit(b.targets[t], GradientEntry{pair, static_cast<uint32_t>(t)});
      }
    }
  };
  each([&](uint32_t row, const GradientEntry&) {
    if (b.place[row]++ == 0) b.rows.push_back(row);
  });
  b.begins.resize(b.rows.size() + 1);
  uint32_t sum = 0;
  for (size_t r = 0; r < b.rows.size(); ++r) {
    b.begins[r] = sum;
    sum += std::exchange(b.place[b.rows[r]], sum);
  }
  b.begins.back() = sum;
  b.entries.resize(sum);
  each([&](uint32_t row, const GradientEntry& entry) { b.entries[b.place[row]++] = entry; });
  for (uint32_t row : b.rows) b.place[row] = 0;
}

}  // namespace gyre
