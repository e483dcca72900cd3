#include "gyre/relation/join/column_index.h"

#include <algorithm>
#include <cstring>

#include "gyre/relation/storage/tuple_hash.h"

namespace gyre {
namespace {

constexpr size_t kFirstSlots = 16;

// Numbers below it are groups themselves, in an index of so many tuples.
uint64_t direct_bound(int64_t tuples) { return 8 * (static_cast<uint64_t>(tuples) + 128); }

}  // namespace

ColumnIndex::ColumnIndex(int arity, uint32_t columns) : arity_(arity) {
  for (int c = 0; c < arity; ++c) {
    if (columns >> c & 1) columns_.push_back(c);
  }
}

int64_t ColumnIndex::bytes() const {
  return static_cast<int64_t>(
      slots_.capacity() * sizeof(Slot) + groups_.capacity() * sizeof(Group) +
      (group_keys_.capacity() + grouped_.capacity() + next_.capacity()) * sizeof(uint32_t));
}

int64_t ColumnIndex::growth(const Relation& relation) const {
  const int64_t size = relation.size();
  if (size == covered_) return 0;
  const uint64_t bound = relation.number_bound();
  int64_t bytes = 0;
  if (columns_.size() == 1) {  // a group for each number below
    const auto numbers = static_cast<int64_t>(std::min(bound, direct_bound(size)));
    if (numbers > static_cast<int64_t>(groups_.capacity()))
      bytes = 2 * numbers * int64_t{sizeof(Group)};
  }
  // a tuple twice or, while they are sorted, with its group; a group and two slots a key at most
  const bool spreads = direct_ && bound > direct_bound(size);
  const int64_t keys = spreads ? size : size - covered_;
  bytes += keys * int64_t{sizeof(Group) + 2 * sizeof(Slot)};
  if (spreads || size >= 2 * int64_t{first_recent_})
    return bytes + size * 2 * arity_ * int64_t{sizeof(uint32_t)};
  return bytes + (size - covered_) * int64_t{sizeof(uint32_t)};
}

uint64_t ColumnIndex::packed_key(const uint32_t* key) const {
  const int width = static_cast<int>(columns_.size());
  return width <= 2 ? packed_pair(key, width) : hash_tuple(key, width);
}

size_t ColumnIndex::first_slot(uint64_t packed) const { return mix_hash(packed) >> shift_; }

size_t ColumnIndex::slot_of(uint64_t packed, const uint32_t* key) const {
  const size_t mask = slots_.size() - 1, width = columns_.size();
  for (size_t at = first_slot(packed);; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.group == kNoRow) return at;
    if (slot.key != packed) continue;
    if (width <= 2 || std::equal(key, key + width, group_keys_.data() + slot.group * width)) {
      return at;
    }
  }
}

const ColumnIndex::Group* ColumnIndex::find(const uint32_t* key) const {
  if (direct_) return key[0] < groups_.size() ? &groups_[key[0]] : nullptr;
  if (slots_.empty()) return nullptr;
  const Slot& slot = slots_[slot_of(packed_key(key), key)];
  return slot.group == kNoRow ? nullptr : &groups_[slot.group];
}

void ColumnIndex::grow_slots() {
  LargeVector<Slot> old(std::max(kFirstSlots, 2 * slots_.size()));
  old.swap(slots_);
  shift_ = __builtin_clzll(slots_.size()) + 1;
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.group == kNoRow) continue;
    size_t at = mix_hash(slot.key) >> shift_;
    while (slots_[at].group != kNoRow) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

// The group of a tuple's key, new if need be.
uint32_t ColumnIndex::group_of(const uint32_t* tuple) {
  uint32_t key[Relation::kMostColumns];
  const size_t width = columns_.size();
  for (size_t i = 0; i < width; ++i) key[i] = tuple[columns_[i]];
  if (direct_) {
    if (key[0] >= groups_.size()) groups_.resize(key[0] + size_t{1});
    return key[0];
  }
  if (2 * (groups_.size() + 1) > slots_.size()) grow_slots();
  const uint64_t packed = packed_key(key);
  Slot& slot = slots_[slot_of(packed, key)];
  if (slot.group == kNoRow) {
    slot = {packed, static_cast<uint32_t>(groups_.size())};
    groups_.push_back({});
    if (width > 2) group_keys_.insert(group_keys_.end(), key, key + width);
  }
  return slot.group;
}

void ColumnIndex::regroup(std::span<const uint32_t> tuples) {
  const auto arity = static_cast<size_t>(arity_), count = tuples.size() / arity;
  slots_.clear();
  groups_.clear();
  group_keys_.clear();
  next_.clear();
  grouped_.clear();
  grouped_.resize(tuples.size());
  first_recent_ = static_cast<uint32_t>(count);
  keys_in_use_ = 0;
  direct_ = columns_.size() == 1;
  if (direct_) {
    uint32_t largest = 0;
    for (size_t i = 0; i < count; ++i) {
      largest = std::max(largest, tuples[i * arity + static_cast<size_t>(columns_[0])]);
    }
    direct_ = largest < direct_bound(static_cast<int64_t>(count));
    if (direct_) {
      groups_.resize(largest + size_t{1});
      return group_by_number(tuples);
    }
  }
  LargeVector<uint32_t> group(count);
  for (size_t i = 0; i < count; ++i) {
    group[i] = group_of(&tuples[i * arity]);
    ++groups_[group[i]].count;
  }
  begin_groups(groups_, 0);
  for (size_t i = 0; i < count; ++i) place(&tuples[i * arity], groups_[group[i]]);
}

// A key is the number of its group. Tuples are first sorted into ranges of groups that fit the
// caches: accesses to all groups at random took ten times as long.
void ColumnIndex::group_by_number(std::span<const uint32_t> tuples) {
  constexpr size_t kMostRanges = 1024;
  const auto arity = static_cast<size_t>(arity_), column = static_cast<size_t>(columns_[0]);
  int shift = 9;
  while ((groups_.size() - 1) >> shift >= kMostRanges) ++shift;
  std::vector<uint32_t> ends(((groups_.size() - 1) >> shift) + 2);
  LargeVector<uint32_t> sorted;
  if (ends.size() > 2) {
    for (size_t i = 0; i < tuples.size(); i += arity) ++ends[(tuples[i + column] >> shift) + 1];
    for (size_t r = 1; r < ends.size(); ++r) ends[r] += ends[r - 1];
    sorted.resize(tuples.size());
    for (size_t i = 0; i < tuples.size(); i += arity) {
      uint32_t* to = &sorted[size_t{ends[tuples[i + column] >> shift]++} * arity];
      for (size_t c = 0; c < arity; ++c) to[c] = tuples[i + c];
    }
    tuples = sorted;
  } else {
    ends[0] = static_cast<uint32_t>(tuples.size() / arity);
  }
  uint32_t begin = 0;
  for (size_t r = 0; r + 1 < ends.size(); begin = ends[r++]) {
    const auto range = tuples.subspan(begin * arity, (ends[r] - begin) * arity);
    const size_t first = r << shift, width = std::min(size_t{1} << shift, groups_.size() - first);
    for (size_t i = column; i < range.size(); i += arity) ++groups_[range[i]].count;
    begin_groups(std::span(groups_).subspan(first, width), begin);
    for (size_t i = 0; i < range.size(); i += arity) place(&range[i], groups_[range[i + column]]);
  }
}

// Gives groups whose tuples are counted their places in grouped_, from `begin` on.
void ColumnIndex::begin_groups(std::span<Group> groups, uint32_t begin) {
  for (Group& g : groups) {
    g.begin = begin;
    begin += g.count;
    keys_in_use_ += g.count > 0;
    g.count = 0;
  }
}

void ColumnIndex::place(const uint32_t* tuple, Group& group) {
  const auto arity = static_cast<size_t>(arity_);
  uint32_t* to = &grouped_[(group.begin + size_t{group.count++}) * arity];
  for (size_t c = 0; c < arity; ++c) to[c] = tuple[c];
}

void ColumnIndex::update(const Relation& relation) {
  const int64_t size = relation.size();
  if (size == covered_) return;
  if (relation.layout() != RelationLayout::rows) {
    std::vector<uint32_t> tuples;
    tuples.reserve(static_cast<size_t>(size * arity_));
    relation.for_each([&](const uint32_t* t) { tuples.insert(tuples.end(), t, t + arity_); });
    regroup(tuples);
    covered_ = size;
    return;
  }
  const RowTable& rows = relation.rows();
  auto wide = [&](int64_t row) { return rows.row(row)[columns_[0]] >= direct_bound(size); };
  bool again = size >= 2 * int64_t{first_recent_};
  for (int64_t row = covered_; direct_ && !again && row < size; ++row) again = wide(row);
  if (again) {
    regroup({rows.row(0), static_cast<size_t>(size * arity_)});
  } else {
    next_.resize(static_cast<size_t>(size) - first_recent_, kNoRow);
    for (int64_t row = covered_; row < size; ++row) {
      Group& g = groups_[group_of(rows.row(row))];
      keys_in_use_ += g.count == 0 && g.recent == kNoRow;
      next_[static_cast<size_t>(row) - first_recent_] = g.recent;
      g.recent = static_cast<uint32_t>(row);
    }
  }
  covered_ = size;
}

}  // namespace gyre
