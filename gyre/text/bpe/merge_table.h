#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gyre {

/// One merge of byte-pair encoding: `left` and `right` side by side become `product`. Its rank is
/// its place in the list.
struct Merge {
  int32_t left, right, product;
};

/// The merges of a vocabulary, found by pair.
class MergeTable {
 public:
  /// When a pair comes twice, its last rank counts, as in Hugging Face's `tokenizers`.
  explicit MergeTable(std::span<const Merge> merges);

  /// Applies the merges to `symbols`: always the pair of lowest rank, of equal ones the leftmost,
  /// until none is left. Linear memory; n log n for long inputs.
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

  std::vector<Slot> slots_;  // open addressing; rank kNone is free
};

}  // namespace gyre
