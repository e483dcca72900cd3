#include "gyre/models/generation/sampler.h"

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/philox.h"

namespace gyre {
namespace {

const SamplingOptions& checked_sampling(const SamplingOptions& o) {
  check_record("generate", o);
  const SamplingOptions plain;
  const bool limits = o.top_k != plain.top_k || o.top_p != plain.top_p || o.min_p != plain.min_p ||
                      o.typical_p != plain.typical_p || o.xtc_probability != plain.xtc_probability;
  const bool sampled = o.temperature != plain.temperature && o.temperature != 0;
  if ((o.greedy && (limits || sampled)) || (o.temperature == 0 && limits)) {
    throw Error(Code::value, "generate",
                "`greedy` (or a `temperature` of 0) cannot be combined with `top_k`, `top_p`, "
                "`min_p`, `typical_p`, `xtc_probability` or a `temperature` above 0");
  }
  return o;
}

}  // namespace

Sampler::Sampler(const SamplingOptions& o) : options_(checked_sampling(o)), rules_(o) {}

int32_t Sampler::choose(std::span<const float> logits, std::span<const int32_t> ids,
                        size_t prompt) {
  blocks_.reset(logits);
  if (!std::isfinite(blocks_.top()))
    throw Error(Code::numeric, "generate", "the model's logits are not finite");
  if (rules_.active()) {
    changed_.assign(logits.begin(), logits.end());
    rules_.apply(changed_, ids, prompt);
    blocks_.reset(changed_);
    if (!std::isfinite(blocks_.top()))
      throw Error(Code::value, "generate", "the penalties and biases leave no token to choose");
  }
  if (options_.greedy || options_.temperature == 0) return blocks_.best();
  const SamplingOptions& o = options_;
  if (o.top_k == 0 && o.top_p == 1 && o.min_p == 0 && o.typical_p == 1 && o.xtc_probability == 0)
    return blocks_.at_share(uniform(), o.temperature);
  weigh();
  if (options_.min_p > 0) {
    double most = 0;
    for (const Candidate& c : candidates_) most = std::max(most, c.weight);
    std::erase_if(candidates_,
                  [&](const Candidate& c) { return c.weight < options_.min_p * most; });
  }
  if (options_.typical_p < 1) keep_typical(candidates_, options_.typical_p);
  if (options_.xtc_probability > 0 && uniform() < options_.xtc_probability) drop_top_choices();
  return draw();
}

// The candidates by top-k and top-p.
void Sampler::weigh() {
  const double top = blocks_.top(), temperature = options_.temperature;
  const auto k = static_cast<size_t>(options_.top_k);
  LogitBlocks::Share share{0, -HUGE_VALF};
  if (k > 0) {
    share.bound = blocks_.kth(k);
  } else if (options_.top_p < 1) {
    share = blocks_.share(options_.top_p, temperature);
  }
  candidates_.clear();
  blocks_.at_least(share.bound, [&](int32_t id, float logit) {
    candidates_.push_back({id, std::exp((logit - top) / temperature)});
  });
  if (options_.top_p == 1) return;
  const double total = share.total > 0 ? share.total : total_weight(candidates_);
  keep_weight(candidates_, options_.top_p * total);
}

// "Exclude top choices" (p-e-w, 2024).
void Sampler::drop_top_choices() {
  const double least = options_.xtc_threshold * total_weight(candidates_);
  const Candidate* kept = nullptr;
  for (const Candidate& c : candidates_) {
    if (c.weight >= least && (!kept || c.weight < kept->weight)) kept = &c;
  }
  if (!kept) return;
  const int32_t id = kept->id;
  std::erase_if(candidates_, [&](const Candidate& c) { return c.weight >= least && c.id != id; });
}

int32_t Sampler::draw() {
  double at = uniform() * total_weight(candidates_);
  for (const Candidate& c : candidates_) {
    at -= c.weight;
    if (at < 0) return c.id;
  }
  const auto last = std::find_if(candidates_.rbegin(), candidates_.rend(),
                                 [](const Candidate& c) { return c.weight > 0; });
  return last->id;
}

double Sampler::uniform() {
  const auto words = philox(static_cast<uint64_t>(options_.seed), drawn_++);
  const uint64_t bits = (static_cast<uint64_t>(words[0]) << 32 | words[1]) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

TokenLogprobs logprobs_of(std::span<const float> logits, int32_t chosen, size_t count) {
  LogitBlocks blocks;
  blocks.reset(logits);
  double sum = 0;
  blocks.at_least(-HUGE_VALF, [&](int32_t, float x) { sum += std::exp(x - double{blocks.top()}); });
  const double log_total = blocks.top() + std::log(sum);
  const auto item = [&](int32_t id) {
    return TokenLogprobs::Item{id, logits[static_cast<size_t>(id)] - log_total};
  };
  TokenLogprobs result{item(chosen), {}};
  if (count == 0) return result;
  blocks.at_least(blocks.kth(count), [&](int32_t id, float) { result.top.push_back(item(id)); });
  std::ranges::stable_sort(result.top,
                           [](const auto& a, const auto& b) { return a.logprob > b.logprob; });
  result.top.resize(std::min(count, result.top.size()));
  return result;
}

}  // namespace gyre
