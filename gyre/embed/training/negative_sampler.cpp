#include "gyre/embed/training/negative_sampler.h"

#include <algorithm>
#include <cmath>

#include "gyre/data/draw.h"

namespace gyre {
namespace {

constexpr double kPower = 0.75;
constexpr int kTries = 8;  // rejections before an allowed node is selected directly

// A uniform integer below n.
uint64_t below(uint64_t n, uint64_t random) { return (random >> 32) * n >> 32; }

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

}  // namespace gyre
