#include "gyre/relation/storage/set_union.h"

#include <bit>

namespace gyre {
namespace {

constexpr size_t kComparisonSort = 256;  // shorter lists are sorted by comparisons
constexpr int kDigitBits = 11;

}  // namespace

SetUnion::SetUnion(uint32_t universe)
    : universe_(universe),
      most_listed_(std::max<int64_t>(universe / 32, 4)),
      stamps_(universe),
      words_(static_cast<size_t>(words_for(universe))) {
  clear();
}

void SetUnion::clear() {
  if (in_words_) std::fill(words_.begin(), words_.end(), 0);
  in_words_ = false;
  list_.clear();
  if (++stamp_ == 0) {
    std::fill(stamps_.begin(), stamps_.end(), 0);
    stamp_ = 1;
  }
}

void SetUnion::to_words() {
  in_words_ = true;
  for (uint32_t number : list_) set_bit(words_.data(), number);
  list_.clear();
}

void SetUnion::add(const NumberSet& set) {
  if (set.words) {
    if (!in_words_) to_words();
    or_words(words_.data(), set.words, set.word_count);
  } else if (list_.empty() && !in_words_) {
    list_.assign(set.list, set.list + set.count);
    for (uint32_t number : list_) stamps_[number] = stamp_;
  } else {
    for (int64_t i = 0; i < set.count; ++i) add(set.list[i]);
  }
}

// By digits from the lowest, for long lists.
void SetUnion::sort_list() {
  if (std::is_sorted(list_.begin(), list_.end())) return;
  if (list_.size() < kComparisonSort) {
    std::sort(list_.begin(), list_.end());
    return;
  }
  scratch_.resize(list_.size());
  for (int shift = 0; (universe_ - 1) >> shift; shift += kDigitBits) {
    uint32_t places[1 << kDigitBits] = {};
    constexpr uint32_t kMask = (1 << kDigitBits) - 1;
    for (uint32_t number : list_) ++places[number >> shift & kMask];
    uint32_t next = 0;
    for (uint32_t& place : places) {
      const uint32_t count = place;
      place = next;
      next += count;
    }
    for (uint32_t number : list_) scratch_[places[number >> shift & kMask]++] = number;
    list_.swap(scratch_);
    if (shift + kDigitBits >= 32) break;
  }
}

uint32_t SetUnion::store(RowSets& sets, const FixpointMeter& meter, int64_t held) {
  NumberSet set;
  if (in_words_) {
    meter.check_bytes(held + sets.bytes(), sets.words_growth());
    uint64_t* words = sets.new_words();
    std::copy(words_.begin(), words_.end(), words);
    set.words = words;
    set.word_count = static_cast<int64_t>(words_.size());
    set.count = count_bits(words, set.word_count);
  } else {
    if (list_.empty()) return RowSets::kNoSet;
    sort_list();
    set.count = static_cast<int64_t>(list_.size());
    meter.check_bytes(held + sets.bytes(), sets.list_growth(set.count));
    uint32_t* list = sets.new_list(set.count);
    std::copy(list_.begin(), list_.end(), list);
    set.list = list;
  }
  return sets.add(set);
}

}  // namespace gyre
