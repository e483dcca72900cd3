#include "gyre/models/generation/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/philox.h"

namespace gyre {
namespace {

void check(const GenerateOptions& o) {
  check_record("generate", o);
  GenerateOptions plain;
  const bool limits = o.top_k != plain.top_k || o.top_p != plain.top_p || o.min_p != plain.min_p;
  const bool sampled = o.temperature != plain.temperature && o.temperature != 0;
  if ((o.greedy && (limits || sampled)) || (o.temperature == 0 && limits)) {
    throw Error(
        Code::value, "generate",
        "`greedy` (or a `temperature` of 0) cannot be combined with `top_k`, `top_p`, `min_p` or a "
        "`temperature` above 0");
  }
}

}  // namespace

Sampler::Sampler(const GenerateOptions& o)
    : greedy_(o.greedy || o.temperature == 0),
      temperature_(o.temperature),
      top_p_(o.top_p),
      min_p_(o.min_p),
      top_k_(static_cast<size_t>(std::max<int64_t>(0, o.top_k))),
      seed_(static_cast<uint64_t>(o.seed)) {
  check(o);
}

int32_t Sampler::choose(std::span<const float> logits) {
  auto better = [](float a, float b) { return a < b || (a != a && b == b); };
  auto best = std::max_element(logits.begin(), logits.end(), better);
  if (best == logits.end() || !std::isfinite(*best)) {
    throw Error(Code::numeric, "generate", "the model's logits are not finite");
  }
  if (greedy_) return static_cast<int32_t>(best - logits.begin());
  weigh(logits);
  keep_top_k();
  keep_top_p();
  keep_min_p();
  double total = 0;
  for (const Candidate& c : candidates_) total += c.weight;
  double at = uniform() * total;
  for (const Candidate& c : candidates_) {
    at -= c.weight;
    if (at < 0) return c.id;
  }
  return candidates_.back().id;
}

void Sampler::weigh(std::span<const float> logits) {
  double top = *std::max_element(logits.begin(), logits.end());
  candidates_.clear();
  for (size_t i = 0; i < logits.size(); ++i) {
    candidates_.push_back({static_cast<int32_t>(i), std::exp((logits[i] - top) / temperature_)});
  }
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.weight > b.weight; });
}

// Keeps ties with the last token kept.
void Sampler::keep_top_k() {
  if (top_k_ == 0 || top_k_ >= candidates_.size()) return;
  size_t n = top_k_;
  while (n < candidates_.size() && candidates_[n].weight == candidates_[top_k_ - 1].weight) ++n;
  candidates_.resize(n);
}

// Keeps the shortest prefix whose probabilities sum to at least top_p.
void Sampler::keep_top_p() {
  if (top_p_ >= 1) return;
  double total = 0, sum = 0;
  for (const Candidate& c : candidates_) total += c.weight;
  size_t n = 0;
  while (n < candidates_.size() && sum < top_p_ * total) sum += candidates_[n++].weight;
  candidates_.resize(std::max<size_t>(1, n));
}

void Sampler::keep_min_p() {
  double least = min_p_ * candidates_[0].weight;
  std::erase_if(candidates_, [&](const Candidate& c) { return c.weight < least; });
}

double Sampler::uniform() {
  auto words = philox(seed_, drawn_++);
  uint64_t bits = (static_cast<uint64_t>(words[0]) << 32 | words[1]) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

}  // namespace gyre
