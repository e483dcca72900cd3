#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gyre {

/// One BPE merge: adjacent `left` and `right` become `product`. Its rank is its index in the list.
struct Merge {
  int32_t left, right, product;
};

/// Merges looked up by pair.
class MergeTable {
 public:
  /// For a duplicate pair the last rank counts, as in Hugging Face's `tokenizers`. `by_product`:
  /// merges of one product all have the rank of the first, as in SentencePiece.
  explicit MergeTable(std::span<const Merge> merges, bool by_product = false);

  /// Applies the merges to `symbols`: repeatedly the pair of lowest rank, the leftmost of equals,
  /// until none is left. Linear memory; O(n log n) for long inputs.
  void apply(std::vector<int32_t>& symbols) const;

 private:
  static constexpr int32_t kNone = INT32_MAX;
  struct Slot {
    uint64_t pair = 0;
    int32_t rank = kNone;
    int32_t product = 0;
  };

  static uint64_t key(int32_t left, int32_t right) {
    return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
  }
  const Slot& find(int32_t left, int32_t right) const;
  void apply_short(std::vector<int32_t>& symbols) const;
  void apply_long(std::vector<int32_t>& symbols) const;

  std::vector<Slot> slots_;  // open addressing; rank kNone marks a free slot
};

}  // namespace gyre
