#pragma once
#include <cstdint>
#include <vector>

#include "gyre/relation/fixpoint_limits.h"
#include "gyre/relation/storage/row_sets.h"

namespace gyre {

/// The union of numbers and sets of numbers, taken one after the other: a list while it is short,
/// then bits.
class SetUnion {
 public:
  /// Of numbers below `universe`.
  explicit SetUnion(uint32_t universe);

  /// Begins with the empty set.
  void clear();
  void add(uint32_t number) {
    if (in_words_) {
      set_bit(words_.data(), number);
    } else if (stamps_[number] != stamp_) {
      stamps_[number] = stamp_;
      list_.push_back(number);
      if (static_cast<int64_t>(list_.size()) > most_listed_) to_words();
    }
  }
  void add(const NumberSet& set);
  /// Adds the union as a set of `sets` (of the same universe) and returns its number, kNoSet if it
  /// is empty. Throws what the meter does; `held` bytes are held elsewhere.
  uint32_t store(RowSets& sets, const FixpointMeter& meter, int64_t held);

 private:
  void to_words();
  void sort_list();

  uint32_t universe_;
  int64_t most_listed_;
  bool in_words_ = false;
  uint32_t stamp_ = 0;
  LargeVector<uint32_t> stamps_;  // of the numbers in the list
  std::vector<uint32_t> list_{}, scratch_{};
  std::vector<uint64_t> words_{};
};

}  // namespace gyre
