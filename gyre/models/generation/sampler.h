#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/models/generation/generate.h"

namespace gyre {

/// Samples tokens from logits: temperature, then top-k, top-p, min-p, then a draw. Deterministic in
/// seed and logits.
class Sampler {
 public:
  /// Error{value} naming the option: temperature < 0, top_k < 0, top_p outside (0, 1], min_p
  /// outside [0, 1], one of them together with greedy.
  explicit Sampler(const GenerateOptions& options);

  /// The next token. Error{numeric} if no logit is finite.
  int32_t choose(std::span<const float> logits);

 private:
  struct Candidate {
    int32_t id;
    double weight;  // unnormalised probability
  };
  void weigh(std::span<const float> logits);
  void keep_top_k();
  void keep_top_p();
  void keep_min_p();
  double uniform();

  bool greedy_;
  double temperature_, top_p_, min_p_;
  size_t top_k_;
  uint64_t seed_, drawn_ = 0;
  std::vector<Candidate> candidates_;  // by descending weight, ties by ascending id
};

}  // namespace gyre
