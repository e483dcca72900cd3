#pragma once
#include <cstdint>
#include <vector>

#include "gyre/data/permutation.h"
#include "gyre/embed/training/embed_tile.h"
#include "gyre/embed/training/negative_sampler.h"

namespace gyre {

/// A batch of pairs with their negatives, and the rows that they move: operands of embed_step_of().
struct PairBatch {
  std::vector<uint32_t> pairs;  ///< per pair that has negatives: the child, its parent, negatives
  std::vector<MovedRow> rows;   ///< by first appearance; the last is the end
  std::vector<GradientEntry> entries;  ///< of each row in the order of pairs
  std::vector<uint32_t> place;         ///< scratch memory of PairBatches
};

/// Splits the pairs of a taxonomy into batches: shuffled anew in every epoch, with negatives that
/// depend only on seed, epoch and the pair's position.
class PairBatches {
 public:
  PairBatches(const Taxonomy& taxonomy, int64_t batch, int64_t negatives, uint64_t seed);

  /// Batches per epoch.
  [[nodiscard]] int64_t count() const { return (taxonomy_.pairs() + batch_ - 1) / batch_; }
  /// Nodes of a pair.
  [[nodiscard]] int64_t width() const { return 2 + negatives_; }
  /// Makes batch `number` of an epoch, reusing the memory of `out`. Thread-safe for different
  /// `out`.
  void make(int64_t epoch, int64_t number, NegativeSampler::By by, PairBatch& out) const;

 private:
  void invert(PairBatch& batch) const;

  const Taxonomy& taxonomy_;
  NegativeSampler sampler_;
  std::vector<uint32_t> below_;  // child of every pair
  int64_t batch_, negatives_;
  uint64_t seed_;
};

}  // namespace gyre
