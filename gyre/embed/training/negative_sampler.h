#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/relation/taxonomy.h"

namespace gyre {

/// Draws, for a node, nodes that are neither it nor above it.
class NegativeSampler {
 public:
  enum class By : uint8_t {
    equal,      ///< every node as often
    frequency,  ///< by the 3/4 power of how many nodes a node is above of
  };

  explicit NegativeSampler(const Taxonomy& taxonomy);

  /// Fills `out`, a node perhaps more than once; the same for the same key. Returns false, and
  /// fills nothing, where every other node is above `node`.
  bool draw(uint32_t node, By by, uint64_t key, std::span<uint32_t> out) const;

 private:
  void fill(By by, uint64_t key, std::span<uint32_t> out) const;
  [[nodiscard]] uint32_t candidate(By by, uint64_t random) const;
  [[nodiscard]] uint32_t any_allowed(uint32_t node, uint64_t random) const;

  const Taxonomy& taxonomy_;
  // Walker's alias method: place i stands for node i with this chance in 2^32, else for the other.
  std::vector<uint32_t> chance_, other_;
};

}  // namespace gyre
