#pragma once
#include <cstdint>
#include <vector>

#include "gyre/data/permutation.h"
#include "gyre/embed/training/embed_tile.h"
#include "gyre/embed/training/negative_sampler.h"

namespace gyre {

/// Pairs that are learned in one step, with their negatives, and the rows that they move.
struct PairBatch {
  std::vector<uint32_t> children;  ///< a pair each
  std::vector<uint32_t> targets;   ///< `slots` a pair: the parent, then negatives
  std::vector<uint32_t> counts;    ///< how many of the slots are filled
  std::vector<uint32_t> rows;      ///< the nodes that move, by first appearance
  std::vector<uint32_t> begins;    ///< of each row's part of `entries`, and their end
  std::vector<GradientEntry> entries;
  std::vector<uint32_t> place;  ///< working memory of PairBatches
};

/// Cuts the pairs of a taxonomy into batches: an order of its own in every epoch, and negatives
/// that depend on seed, epoch and place of the pair only.
class PairBatches {
 public:
  PairBatches(const Taxonomy& taxonomy, int64_t batch, int64_t negatives, uint64_t seed);

  /// Batches an epoch.
  [[nodiscard]] int64_t count() const { return (taxonomy_.pairs() + batch_ - 1) / batch_; }
  /// Places of `targets` a pair, a multiple of 8.
  [[nodiscard]] int64_t slots() const { return slots_; }
  /// Makes batch `number` of an epoch, reusing the memory of `out`. Threads may call this at once,
  /// each with a batch of its own.
  void make(int64_t epoch, int64_t number, NegativeSampler::By by, PairBatch& out) const;

 private:
  void invert(PairBatch& batch) const;

  const Taxonomy& taxonomy_;
  NegativeSampler sampler_;
  std::vector<uint32_t> below_;  // the child of every pair
  int64_t batch_, negatives_, slots_;
  uint64_t seed_;
};

}  // namespace gyre
