#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/data/permutation.h"
#include "gyre/embed/embed_options.h"
#include "gyre/embed/training/embed_tile.h"
#include "gyre/relation/taxonomy.h"

namespace gyre {

/// Samples negatives of a node: nodes that are neither it nor its ancestors.
class NegativeSampler {
 public:
  enum class By : uint8_t {
    equal,      ///< uniform
    frequency,  ///< by the 3/4 power of the number of descendants
  };

  explicit NegativeSampler(const Taxonomy& taxonomy);

  /// Fills `out`, with replacement; deterministic in `key`. Returns false, and fills nothing, if
  /// all other nodes are ancestors of `node`.
  bool draw(uint32_t node, By by, uint64_t key, std::span<uint32_t> out) const;

 private:
  void fill(By by, uint64_t key, std::span<uint32_t> out) const;
  [[nodiscard]] uint32_t candidate(By by, uint64_t random) const;
  [[nodiscard]] uint32_t any_allowed(uint32_t node, uint64_t random) const;

  const Taxonomy& taxonomy_;
  // Walker's alias method: index i yields node i with this probability times 2^32, else the alias.
  std::vector<uint32_t> chance_, other_;
};

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
  /// Both must outlive this.
  PairBatches(const Taxonomy& taxonomy, const EmbedOptions& options);

  /// Batches per epoch.
  [[nodiscard]] int64_t count() const {
    return (taxonomy_.pairs() + options_.batch_size - 1) / options_.batch_size;
  }
  /// Nodes of a pair.
  [[nodiscard]] int64_t width() const { return 2 + options_.negatives; }
  /// Makes batch `number` of an epoch, reusing the memory of `out`. Thread-safe for different
  /// `out`.
  void make(int64_t epoch, int64_t number, PairBatch& out) const;

 private:
  void invert(PairBatch& batch) const;

  const Taxonomy& taxonomy_;
  NegativeSampler sampler_;
  const EmbedOptions& options_;
  std::vector<uint32_t> below_;  // child of every pair
};

}  // namespace gyre
