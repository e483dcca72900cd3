#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/models/generation/generate.h"

namespace gyre {

/// Chooses tokens from logits: temperature, then top-k, top-p, min-p, then a draw. The same seed
/// and logits give the same tokens.
class Sampler {
 public:
  /// Error{value} naming the option: temperature not above 0, top_k below 0, top_p outside (0, 1],
  /// min_p outside [0, 1], one of them together with greedy.
  explicit Sampler(const GenerateOptions& options);

  /// The next token. Error{numeric} when no logit is finite.
  int32_t choose(std::span<const float> logits);

 private:
  struct Candidate {
    int32_t id;
    double weight;  // of the draw, not normalised
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
  std::vector<Candidate> candidates_;  // the likeliest first, of equals the lower id
};

}  // namespace gyre
