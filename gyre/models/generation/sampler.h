#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/models/generation/candidates.h"
#include "gyre/models/generation/logit_rules.h"

namespace gyre {

/// Chooses tokens from logits as SamplingOptions say. Deterministic in seed, logits and tokens.
/// Does not sort the vocabulary.
class Sampler {
 public:
  /// Error{value} naming the option: values out of range; temperature, limits or XTC together with
  /// greedy; a malformed logit_bias.
  explicit Sampler(const SamplingOptions& options);

  /// The token after `ids`, of which the first `prompt` were given. NaN is never chosen.
  /// Error{numeric} if no logit is finite; Error{value} if the options leave no token, or for a
  /// bias of a token that has no logit.
  int32_t choose(std::span<const float> logits, std::span<const int32_t> ids = {},
                 size_t prompt = 0);

 private:
  int32_t draw();
  void weigh();
  void drop_top_choices();
  double uniform();

  SamplingOptions options_;
  LogitRules rules_;
  uint64_t drawn_ = 0;
  LogitBlocks blocks_;
  std::vector<float> changed_;
  std::vector<Candidate> candidates_;
};

/// The log-probabilities of a token and of the most likely ones, for the logits of a model, before
/// sampling options.
struct TokenLogprobs {
  struct Item {
    int32_t id;
    double logprob;
  };
  Item chosen;
  std::vector<Item> top;  ///< most likely first, ties by ascending id
};
TokenLogprobs logprobs_of(std::span<const float> logits, int32_t chosen, size_t count);

}  // namespace gyre
