#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gyre/models/generation/sampling_options.h"

namespace gyre {

/// Changes to logits that depend on the tokens so far: bias, penalties, no-repeat n-grams, DRY.
class LogitRules {
 public:
  /// Error{value} for an item of logit_bias that is not ID=X.
  explicit LogitRules(const SamplingOptions& options);

  /// Whether apply() can change anything.
  [[nodiscard]] bool active() const { return active_; }
  /// Changes the logits of the token after `ids`, of which the first `prompt` were given. All ids
  /// are below the number of logits. Error{value} for a bias of a token that has no logit.
  void apply(std::span<float> logits, std::span<const int32_t> ids, size_t prompt);

 private:
  void add_bias(std::span<float> logits) const;
  void penalise_repeats(std::span<float> logits, std::span<const int32_t> ids);
  void penalise_generated(std::span<float> logits, std::span<const int32_t> ids);
  void ban_ngrams(std::span<float> logits, std::span<const int32_t> ids) const;
  void penalise_sequences(std::span<float> logits, std::span<const int32_t> ids);

  SamplingOptions options_;
  std::vector<std::pair<int32_t, float>> bias_;
  std::vector<int32_t> counts_;   // of each token
  std::vector<size_t> repeated_;  // by position; kept for its memory
  bool active_;
};

}  // namespace gyre
