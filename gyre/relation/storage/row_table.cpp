#include "gyre/relation/storage/row_table.h"

#include <bit>
#include <cstring>

#include "gyre/base/error.h"
#include "gyre/relation/storage/tuple_hash.h"

namespace gyre {
namespace {

constexpr uint64_t kEmptySlot = UINT64_MAX;
constexpr int64_t kMostRows = int64_t{UINT32_MAX} - 1;
constexpr int kFirstBits = 4;

}  // namespace

RowTable::RowTable(int arity) : arity_(arity) {}

bool RowTable::matches(uint64_t slot, uint64_t key, const uint32_t* tuple) const {
  if (arity_ <= 2) return slot == key;
  if (slot >> 32 != key >> 32) return false;
  const auto width = static_cast<size_t>(arity_);
  return std::memcmp(row(static_cast<uint32_t>(slot)), tuple, width * sizeof(uint32_t)) == 0;
}

// The slot that holds the tuple, or the empty one where it belongs.
size_t RowTable::find(uint64_t key, const uint32_t* tuple) const {
  const size_t mask = slots_.size() - 1;
  size_t at = first_slot(key);
  while (slots_[at] != kEmptySlot && !matches(slots_[at], key, tuple)) at = (at + 1) & mask;
  return at;
}

bool RowTable::insert_key(uint64_t key, const uint32_t* tuple) {
  if (arity_ <= 2 && key == kEmptySlot) {
    if (has_empty_) return false;
    has_empty_ = true;
  } else {
    uint64_t& slot = slots_[find(key, tuple)];
    if (slot != kEmptySlot) return false;
    slot = arity_ <= 2 ? key : (key >> 32 << 32) | static_cast<uint64_t>(size_);
  }
  append(tuple);
  return true;
}

bool RowTable::insert(const uint32_t* tuple) {
  reserve(1);
  return insert_key(key_of(tuple), tuple);
}

int64_t RowTable::insert_all(const uint32_t* tuples, int64_t count) {
  const int64_t before = size_;
  if (before == 0) reserve(count);
  constexpr int64_t kBatch = 32;  // slots fetched from memory at once
  uint64_t keys[kBatch];
  size_t places[kBatch];
  for (int64_t begin = 0; begin < count; begin += kBatch) {
    const int64_t n = std::min(kBatch, count - begin);
    reserve(n);
    const uint32_t* first = tuples + begin * arity_;
    for (int64_t i = 0; i < n; ++i) {
      keys[i] = key_of(first + i * arity_);
      places[i] = first_slot(keys[i]);
      __builtin_prefetch(&slots_[places[i]], 1);
    }
    if (arity_ > 2) {
      for (int64_t i = 0; i < n; ++i) insert_key(keys[i], first + i * arity_);
      continue;
    }
    const size_t mask = slots_.size() - 1;
    for (int64_t i = 0; i < n; ++i) {
      if (keys[i] == kEmptySlot) {
        insert_key(keys[i], first + i * arity_);
        continue;
      }
      size_t at = places[i];
      while (slots_[at] != kEmptySlot && slots_[at] != keys[i]) at = (at + 1) & mask;
      if (slots_[at] == keys[i]) continue;
      slots_[at] = keys[i];
      append(first + i * arity_);
    }
  }
  return size_ - before;
}

bool RowTable::contains(const uint32_t* tuple) const {
  if (size_ == 0) return false;
  const uint64_t key = key_of(tuple);
  if (arity_ <= 2 && key == kEmptySlot) return has_empty_;
  return slots_[find(key, tuple)] != kEmptySlot;
}

int64_t RowTable::bytes() const {
  return static_cast<int64_t>(rows_.capacity() * sizeof(uint32_t) +
                              slots_.size() * sizeof(uint64_t));
}

int64_t RowTable::growth(int64_t more) const {
  int64_t bytes = 0;
  const int64_t wanted = size_ + more;
  if (wanted * arity_ > static_cast<int64_t>(rows_.capacity())) {
    bytes += std::max(wanted * arity_, int64_t{2} * size_ * arity_) * int64_t{sizeof(uint32_t)};
  }
  auto slots = std::max<int64_t>(static_cast<int64_t>(slots_.size()), 1 << kFirstBits);
  if (slots_.empty() || 3 * wanted > 2 * slots) {
    while (3 * wanted > 2 * slots) slots *= 2;
    bytes += slots * int64_t{sizeof(uint64_t)};
  }
  return bytes;
}

void RowTable::reserve(int64_t more) {
  const int64_t wanted = size_ + more;
  if (wanted > kMostRows) {
    throw Error(Code::resource, "Relation", "a relation may have 4,294,967,294 tuples at most");
  }
  const auto numbers = static_cast<size_t>(wanted * arity_);
  if (numbers > rows_.capacity()) rows_.reserve(std::max(numbers, 2 * rows_.size()));
  int bits = slots_.empty() ? kFirstBits : 64 - shift_;
  while (3 * wanted > 2 * (int64_t{1} << bits)) ++bits;
  if (slots_.empty() || bits > 64 - shift_) rehash(bits);
}

void RowTable::rehash(int bits) {
  slots_.clear();
  slots_.shrink_to_fit();  // before the new ones: their keys are in the rows
  slots_.assign(size_t{1} << bits, kEmptySlot);
  shift_ = 64 - bits;
  constexpr int64_t kAhead = 32;
  const size_t mask = slots_.size() - 1;
  for (int64_t i = 0; i < size_; ++i) {
    if (i + kAhead < size_) {
      __builtin_prefetch(&slots_[first_slot(key_of(row(i + kAhead)))], 1);
    }
    const uint64_t key = key_of(row(i));
    if (arity_ <= 2 && key == kEmptySlot) continue;
    size_t at = first_slot(key);
    while (slots_[at] != kEmptySlot) at = (at + 1) & mask;
    slots_[at] = arity_ <= 2 ? key : (key >> 32 << 32) | static_cast<uint64_t>(i);
  }
}

}  // namespace gyre
