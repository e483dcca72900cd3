#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/base/memory/large_vector.h"
#include "gyre/relation/relation.h"

namespace gyre {

/// The tuples of a relation by the numbers in some of its columns. Most tuples lie grouped by key;
/// those added since the last grouping are chained, and grouped again when they are as many.
class ColumnIndex {
 public:
  /// Of relations of this arity by the columns whose bits are set in `columns` (at least one).
  ColumnIndex(int arity, uint32_t columns);

  /// Brings the index up to date with `relation`, which only grew since the last call.
  void update(const Relation& relation);

  /// The number of different keys, at least; a guess for the order of joins.
  [[nodiscard]] int64_t keys() const { return keys_in_use_; }
  [[nodiscard]] int64_t bytes() const;
  /// Bytes that update() may allocate, beyond those held.
  [[nodiscard]] int64_t growth(const Relation& relation) const;

  /// Fetches from memory where for_matches() will begin with this key: first (`stage` 0) the group,
  /// some calls later (`stage` 1) its tuples.
  void prefetch(const uint32_t* key, int stage) const {
    if (!direct_ || key[0] >= groups_.size()) {
      if (stage == 0 && !direct_ && !slots_.empty()) {
        __builtin_prefetch(&slots_[first_slot(packed_key(key))]);
      }
    } else if (stage == 0) {
      __builtin_prefetch(&groups_[key[0]]);
    } else {
      __builtin_prefetch(grouped_.data() +
                         size_t{groups_[key[0]].begin} * static_cast<size_t>(arity_));
    }
  }

  /// Calls f(const uint32_t* tuple) for each tuple whose columns, in ascending order, have the
  /// numbers of `key`, until f returns false. f may insert into the relation.
  template <class F>
  void for_matches(const Relation& relation, const uint32_t* key, F f) const {
    const Group* group = find(key);
    if (!group) return;
    const uint32_t* tuple = grouped_.data() + size_t{group->begin} * static_cast<size_t>(arity_);
    for (uint32_t i = 0; i < group->count; ++i, tuple += arity_) {
      if (!f(tuple)) return;
    }
    for (uint32_t row = group->recent; row != kNoRow; row = next_[row - first_recent_]) {
      if (!f(relation.rows().row(row))) return;
    }
  }

 private:
  static constexpr uint32_t kNoRow = UINT32_MAX;
  struct Group {
    uint32_t begin = 0, count = 0, recent = kNoRow;
  };
  struct Slot {
    uint64_t key = 0;
    uint32_t group = kNoRow;
  };

  [[nodiscard]] uint64_t packed_key(const uint32_t* key) const;
  [[nodiscard]] size_t first_slot(uint64_t packed) const;
  [[nodiscard]] const Group* find(const uint32_t* key) const;
  [[nodiscard]] size_t slot_of(uint64_t packed, const uint32_t* key) const;
  uint32_t group_of(const uint32_t* tuple);
  void regroup(std::span<const uint32_t> tuples);
  void group_by_number(std::span<const uint32_t> tuples);
  void begin_groups(std::span<Group> groups, uint32_t begin);
  void place(const uint32_t* tuple, Group& group);
  void grow_slots();

  int arity_;
  std::vector<int> columns_{};
  bool direct_ = false;  // a key of one small number is the number of its group
  LargeVector<Slot> slots_{};
  int shift_ = 64;
  LargeVector<Group> groups_{};
  std::vector<uint32_t> group_keys_{};  // of wide keys, which slots hold as hashes
  LargeVector<uint32_t> grouped_{};     // tuples by group
  LargeVector<uint32_t> next_{};        // chains of the recent rows
  uint32_t first_recent_ = 0;
  int64_t covered_ = 0, keys_in_use_ = 0;
};

}  // namespace gyre
