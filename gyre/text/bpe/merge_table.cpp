#include "gyre/text/bpe/merge_table.h"

#include <bit>
#include <queue>
#include <unordered_map>

namespace gyre {
namespace {

/// Up to this length a linear scan for the lowest rank is faster than a heap.
constexpr size_t kShort = 40;

uint64_t spread(uint64_t pair) {
  pair *= 0x9E3779B97F4A7C15;
  return pair ^ pair >> 32;
}

}  // namespace

MergeTable::MergeTable(std::span<const Merge> merges, bool by_product) {
  slots_.resize(std::bit_ceil(2 * merges.size() + 2));
  int32_t next = 0;
  std::unordered_map<int32_t, int32_t> first;
  for (const Merge& merge : merges) {
    const int32_t own = next++;
    const int32_t rank = by_product ? first.emplace(merge.product, own).first->second : own;
    // find() ends at the free slot where the pair would be inserted.
    Slot& slot = const_cast<Slot&>(find(merge.left, merge.right));
    slot = {key(merge.left, merge.right), rank, merge.product};
  }
}

const MergeTable::Slot& MergeTable::find(int32_t left, int32_t right) const {
  const uint64_t pair = key(left, right);
  const size_t mask = slots_.size() - 1;
  size_t at = spread(pair) & mask;
  while (slots_[at].rank != kNone && slots_[at].pair != pair) at = (at + 1) & mask;
  return slots_[at];
}

void MergeTable::apply(std::vector<int32_t>& symbols) const {
  if (symbols.size() <= kShort) {
    apply_short(symbols);
  } else {
    apply_long(symbols);
  }
}

void MergeTable::apply_short(std::vector<int32_t>& symbols) const {
  const Slot* pairs[kShort];  // pairs[i]: of symbols i and i + 1
  size_t count = symbols.size();
  for (size_t i = 0; i + 1 < count; ++i) pairs[i] = &find(symbols[i], symbols[i + 1]);
  while (count > 1) {
    size_t best = 0;
    for (size_t i = 1; i + 1 < count; ++i) {
      if (pairs[i]->rank < pairs[best]->rank) best = i;
    }
    if (pairs[best]->rank == kNone) break;
    symbols[best] = pairs[best]->product;
    --count;
    for (size_t i = best + 1; i < count; ++i) symbols[i] = symbols[i + 1];
    for (size_t i = best + 1; i + 1 < count; ++i) pairs[i] = pairs[i + 1];
    if (best > 0) pairs[best - 1] = &find(symbols[best - 1], symbols[best]);
    if (best + 1 < count) pairs[best] = &find(symbols[best], symbols[best + 1]);
  }
  symbols.resize(count);
}

void MergeTable::apply_long(std::vector<int32_t>& symbols) const {
  struct Link {
    int64_t before, after;  // indices of the remaining neighbours, -1 at the ends
    int32_t rank;           // of the pair with the next symbol, kNone if none
  };
  struct Candidate {
    int32_t rank;
    int64_t place;
    bool operator<(const Candidate& other) const {  // max-heap
      return rank != other.rank ? rank > other.rank : place > other.place;
    }
  };
  const auto count = static_cast<int64_t>(symbols.size());
  std::vector<Link> links(symbols.size());
  std::priority_queue<Candidate> queue;
  const auto rate = [&](int64_t place) {
    Link& link = links[static_cast<size_t>(place)];
    link.rank = link.after < 0 ? kNone
                               : find(symbols[static_cast<size_t>(place)],
                                      symbols[static_cast<size_t>(link.after)])
                                     .rank;
    if (link.rank != kNone) queue.push({link.rank, place});
  };
  for (int64_t i = 0; i < count; ++i) {
    links[static_cast<size_t>(i)] = {i - 1, i + 1 < count ? i + 1 : -1, kNone};
  }
  for (int64_t i = 0; i < count; ++i) rate(i);
  while (!queue.empty()) {
    const Candidate next = queue.top();
    queue.pop();
    Link& link = links[static_cast<size_t>(next.place)];
    if (link.rank != next.rank) continue;  // stale: merged or changed since queued
    const auto gone = static_cast<size_t>(link.after);
    int32_t& symbol = symbols[static_cast<size_t>(next.place)];
    symbol = find(symbol, symbols[gone]).product;
    link.after = links[gone].after;
    links[gone].rank = kNone;
    if (link.after >= 0) links[static_cast<size_t>(link.after)].before = next.place;
    rate(next.place);
    if (link.before >= 0) rate(link.before);
  }
  size_t kept = 0;
  for (int64_t place = 0; place >= 0; place = links[static_cast<size_t>(place)].after) {
    symbols[kept++] = symbols[static_cast<size_t>(place)];
  }
  symbols.resize(kept);
}

}  // namespace gyre
