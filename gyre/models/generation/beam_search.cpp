#include "gyre/models/generation/beam_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gyre/models/generation/cached_rows.h"
#include "gyre/models/generation/sampler.h"

namespace gyre {
namespace {

struct Beam {
  std::vector<int32_t> ids;
  double score = 0;  // sum of log-probabilities
};

struct Step {
  size_t beam;
  int32_t id;
  double score;
};

double normalised(double score, size_t new_tokens, double penalty) {
  return score / std::pow(static_cast<double>(std::max<size_t>(1, new_tokens)), penalty);
}

// The ended texts, best first, at most as many as there are beams.
class Ended {
 public:
  explicit Ended(size_t most) : most_(most) {}
  void add(std::vector<int32_t> ids, double score) {
    const auto at = std::ranges::find_if(all_, [&](const Beam& b) { return b.score < score; });
    all_.insert(at, {std::move(ids), score});
    if (all_.size() > most_) all_.pop_back();
  }
  [[nodiscard]] bool beats(double score) const {
    return all_.size() == most_ && all_.back().score >= score;
  }
  [[nodiscard]] const std::vector<int32_t>& best() const { return all_.front().ids; }

 private:
  size_t most_;
  std::vector<Beam> all_;
};

// The best continuations by one token, best first: enough that `wanted` of them do not end.
std::vector<Step> best_steps(std::span<const Beam> beams, std::span<const float> logits,
                             size_t wanted) {
  std::vector<Step> steps;
  const size_t vocab = logits.size() / beams.size();
  for (size_t b = 0; b < beams.size(); ++b) {
    const TokenLogprobs likely = logprobs_of(logits.subspan(b * vocab, vocab), 0, wanted);
    for (const auto& [id, logprob] : likely.top) steps.push_back({b, id, beams[b].score + logprob});
  }
  std::ranges::stable_sort(steps, [](const Step& x, const Step& y) { return x.score > y.score; });
  if (steps.size() > wanted) steps.resize(wanted);
  return steps;
}

}  // namespace

std::vector<int32_t> beam_search(const LanguageModel& model, std::span<const int32_t> prompt,
                                 const BeamOptions& o) {
  const auto width = static_cast<size_t>(o.beams);
  std::vector<Beam> beams{{{prompt.begin(), prompt.end()}, 0}};
  Ended ended(width);
  CachedRows rows(model, 1, Overflow::rotate, o.cache_dtype);
  for (int64_t n = 0; n < o.max_tokens && !beams.empty(); ++n) {
    std::vector<std::span<const int32_t>> texts;
    for (const Beam& beam : beams) texts.emplace_back(beam.ids);
    std::vector<Beam> next;
    std::vector<int64_t> parents;
    size_t rank = 0;
    for (const Step& step : best_steps(beams, rows.next(texts), width * (o.ends.size() + 1))) {
      if (next.size() == width) break;
      const bool among_best = rank++ < width;
      Beam beam = beams[step.beam];
      beam.ids.push_back(step.id);
      beam.score = step.score;
      if (std::ranges::find(o.ends, step.id) != o.ends.end()) {
        const size_t length = beam.ids.size() - prompt.size();
        const double score = normalised(beam.score, length, o.length_penalty);
        if (among_best) ended.add(std::move(beam.ids), score);
        continue;
      }
      next.push_back(std::move(beam));
      parents.push_back(static_cast<int64_t>(step.beam));
    }
    beams = std::move(next);
    const auto now = static_cast<size_t>(n + 1);
    // of equal length, the best beam has the best score that is attainable now
    if (beams.empty() || ended.beats(normalised(beams[0].score, now, o.length_penalty))) {
      beams.clear();
      break;
    }
    rows.keep(parents);
  }
  for (Beam& beam : beams) {
    const size_t length = beam.ids.size() - prompt.size();
    const double score = normalised(beam.score, length, o.length_penalty);
    ended.add(std::move(beam.ids), score);
  }
  return ended.best();
}

}  // namespace gyre
