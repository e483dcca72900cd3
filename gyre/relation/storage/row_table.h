#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gyre/base/memory/large_vector.h"
#include "gyre/relation/storage/tuple_hash.h"

namespace gyre {

/// Tuples in the order of their insertion, each once: rows of numbers and an open-addressing hash
/// table. Positions are stable, so the rows from a position on are those added since.
class RowTable {
 public:
  explicit RowTable(int arity);

  [[nodiscard]] int arity() const { return arity_; }
  [[nodiscard]] int64_t size() const { return size_; }
  /// Row `i`; the pointer is valid until the next insertion.
  [[nodiscard]] const uint32_t* row(int64_t i) const { return rows_.data() + i * arity_; }
  /// More than each number: the largest and 1, or 0 without numbers.
  [[nodiscard]] uint64_t bound() const {
    return size_ > 0 && arity_ > 0 ? uint64_t{largest_} + 1 : 0;
  }
  /// Whether the tuple was new. It must not lie in this table, which may move.
  bool insert(const uint32_t* tuple);
  /// Inserts `count` row-major tuples and returns how many were new. Faster than one by one. They
  /// must not lie in this table.
  int64_t insert_all(const uint32_t* tuples, int64_t count);
  [[nodiscard]] bool contains(const uint32_t* tuple) const;
  /// Bytes held.
  [[nodiscard]] int64_t bytes() const;
  /// Bytes that inserting `more` tuples may allocate, beyond those held.
  [[nodiscard]] int64_t growth(int64_t more) const;
  /// Makes room for `more` tuples.
  void reserve(int64_t more);

 private:
  [[nodiscard]] uint64_t key_of(const uint32_t* tuple) const {
    return arity_ <= 2 ? packed_pair(tuple, arity_) : hash_tuple(tuple, arity_);
  }
  [[nodiscard]] bool matches(uint64_t slot, uint64_t key, const uint32_t* tuple) const;
  [[nodiscard]] size_t first_slot(uint64_t key) const {
    return (arity_ <= 2 ? mix_hash(key) : key * kHashFactor) >> shift_;
  }
  void append(const uint32_t* tuple) {
    for (int c = 0; c < arity_; ++c) {
      rows_.push_back(tuple[c]);
      largest_ = std::max(largest_, tuple[c]);
    }
    ++size_;
  }
  [[nodiscard]] size_t find(uint64_t key, const uint32_t* tuple) const;
  bool insert_key(uint64_t key, const uint32_t* tuple);
  void rehash(int bits);

  int arity_;
  int64_t size_ = 0;
  uint32_t largest_ = 0;  // of the numbers
  LargeVector<uint32_t> rows_{};
  // Up to two numbers a slot holds the tuple itself, otherwise half of its hash and its position.
  LargeVector<uint64_t> slots_{};
  int shift_ = 64;          // a hash's slot is its top 64 - shift_ bits
  bool has_empty_ = false;  // the one pair that reads as an empty slot is a member
};

}  // namespace gyre
