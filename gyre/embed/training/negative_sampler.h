#pragma once
#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace gyre
