#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace gyre {

/// The logits of a token in blocks with their maxima, so that the largest are found without sorting
/// the vocabulary: logits are read once, then only the blocks that can hold what is asked for.
class LogitBlocks {
 public:
  /// `logits` must outlive this. NaN counts as -infinity.
  void reset(std::span<const float> logits);

  /// The largest logit, -infinity if there is none.
  [[nodiscard]] float top() const { return top_; }
  /// The lowest id of the largest logit.
  [[nodiscard]] int32_t best() const;
  /// The sum of exp((logit - top) / temperature), and the least of the logits that are at least as
  /// many as hold this share of it (in steps, so a few more than needed): those below cannot matter
  /// to top-p sampling.
  struct Share {
    double total;
    float bound;
  };
  [[nodiscard]] Share share(double share, double temperature) const;
  /// The token at which the weights exp((logit - top) / temperature), summed in order of ids, reach
  /// this share of their total.
  [[nodiscard]] int32_t at_share(double share, double temperature);
  /// The k-th largest logit; the least if there are fewer than k.
  [[nodiscard]] float kth(size_t k);
  /// Calls take(id, logit) for all logits of at least `least`, in order of ids.
  template <class Take>
  void at_least(float least, Take take) const {
    for (size_t b = 0; b < maxima_.size(); ++b) {
      if (maxima_[b] < least) continue;
      const size_t end = std::min(logits_.size(), (b + 1) * kBlock);
      for (size_t i = b * kBlock; i < end; ++i) {
        if (logits_[i] >= least) take(static_cast<int32_t>(i), logits_[i]);
      }
    }
  }

 private:
  static constexpr size_t kBlock = 64;

  std::span<const float> logits_;
  std::vector<float> maxima_, sorted_;
  std::vector<double> sums_;
  float top_ = 0;
};

/// A token that may be drawn.
struct Candidate {
  int32_t id;
  double weight;  ///< unnormalised probability
};

/// Sum of the weights.
double total_weight(std::span<const Candidate> candidates);

/// Reorders by descending weight, ties by ascending id, and keeps the shortest prefix whose weights
/// sum to at least `sum`, at least one candidate. Only the prefix gets sorted.
void keep_weight(std::vector<Candidate>& candidates, double sum);
/// Keeps the shortest prefix that has this share of the weight, in order of the distance of
/// -log(probability) from the entropy: Meister et al., "Locally Typical Sampling", 2022.
void keep_typical(std::vector<Candidate>& candidates, double share);

}  // namespace gyre
