#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "gyre/base/memory/large_vector.h"
#include "gyre/relation/storage/bit_words.h"

namespace gyre {

/// A set of numbers: an ascending list, or bits where that is smaller.
struct NumberSet {
  const uint32_t* list = nullptr;
  const uint64_t* words = nullptr;
  int64_t count = 0, word_count = 0;

  [[nodiscard]] bool contains(uint32_t number) const {
    if (words) return number / 64 < word_count && has_bit(words, number);
    return std::binary_search(list, list + count, number);
  }
  /// Calls f(uint32_t) for each, ascending, until f returns false; whether it never did.
  template <class F>
  bool for_each(F f) const {
    if (words) return for_bits(words, word_count, f);
    for (int64_t i = 0; i < count; ++i) {
      if (!f(list[i])) return false;
    }
    return true;
  }
};

/// A binary relation: the set of second numbers of each first number. First numbers with equal
/// sets, such as those of a strongly connected component in a closure, share one.
class RowSets {
 public:
  static constexpr uint32_t kNoSet = UINT32_MAX;

  /// Of first numbers below `rows` and second numbers below `universe`.
  RowSets(uint32_t rows, uint32_t universe) : universe_(universe), set_of_(rows, kNoSet) {}

  [[nodiscard]] int64_t size() const { return size_; }
  [[nodiscard]] int64_t bytes() const {
    return bytes_ + static_cast<int64_t>(set_of_.capacity() * sizeof(uint32_t) +
                                         sets_.capacity() * sizeof(NumberSet));
  }
  [[nodiscard]] uint32_t rows() const { return static_cast<uint32_t>(set_of_.size()); }
  [[nodiscard]] uint32_t universe() const { return universe_; }
  [[nodiscard]] NumberSet row(uint32_t first) const {
    const uint32_t set = first < rows() ? set_of_[first] : kNoSet;
    return set == kNoSet ? NumberSet{} : sets_[set];
  }
  [[nodiscard]] NumberSet set(uint32_t number) const { return sets_[number]; }

  /// Memory for a list of `count` numbers or for words of bits, to fill before add().
  uint32_t* new_list(int64_t count);
  uint64_t* new_words();
  /// Bytes that the next new_list(count) may allocate.
  [[nodiscard]] int64_t list_growth(int64_t count) const;
  [[nodiscard]] int64_t words_growth() const;
  /// Makes room for `count` sets.
  void reserve(uint32_t count) { sets_.reserve(count); }
  /// Adds a set and returns its number.
  uint32_t add(NumberSet set);
  /// Gives a first number without a set this one.
  void assign(uint32_t first, uint32_t set) {
    set_of_[first] = set;
    size_ += sets_[set].count;
  }

 private:
  static constexpr int64_t kFirstBlock = 1 << 12, kLargestBlock = 1 << 19;  // words

  struct FreeBlock {
    size_t words;
    void operator()(uint64_t* block) const { LargeAllocator<uint64_t>().deallocate(block, words); }
  };
  using Block = std::unique_ptr<uint64_t[], FreeBlock>;
  // Blocks, so that growing copies nothing.
  struct Arena {
    std::vector<Block> blocks{};
    int64_t used = 0, capacity = 0;  // words of the last block
  };
  [[nodiscard]] int64_t block_for(const Arena& arena, int64_t words) const;
  uint64_t* allocate(Arena& arena, int64_t words);

  uint32_t universe_;
  LargeVector<uint32_t> set_of_;
  LargeVector<NumberSet> sets_{};
  Arena lists_{}, bits_{};
  uint32_t* list_end_ = nullptr;
  int64_t list_left_ = 0;  // numbers
  int64_t size_ = 0, bytes_ = 0;
};

}  // namespace gyre
