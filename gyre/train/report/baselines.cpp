#include "gyre/train/report/baselines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace gyre {
namespace {

constexpr size_t kBytes = 256;

size_t byte(std::string_view text, size_t i) { return static_cast<unsigned char>(text[i]); }

std::array<double, kBytes> unigram(std::string_view text) {
  std::array<double, kBytes> p;
  p.fill(0.5);
  for (size_t i = 0; i < text.size(); ++i) p[byte(text, i)] += 1;
  for (double& v : p) v /= static_cast<double>(text.size()) + 0.5 * kBytes;
  return p;
}

// Byte i with the n before it, below a bit that marks n.
uint64_t key_of(std::string_view text, size_t i, size_t n) {
  uint64_t key = 1;
  for (size_t k = i - n; k <= i; ++k) key = key << 8 | byte(text, k);
  return key;
}

struct Entry {
  uint64_t key = 0;
  uint32_t total = 0, followers = 0;
};

// How often contexts were seen, and what followed them: a hash table with linear probing. The entry
// of a context is that of its key without the last byte.
class Counts {
 public:
  void add(uint64_t key) {
    if (2 * (used_ + 2) > entries_.size()) grow();
    Entry &next = at(key), &context = at(key >> 8);
    context.followers += next.total == 0;
    ++next.total;
    ++context.total;
  }
  // The probability of the last byte after its context; `shorter` is that after a shorter one.
  [[nodiscard]] double share(uint64_t key, double shorter) const {
    if (entries_.empty()) return shorter;
    const Entry& context = entries_[place(key >> 8)];
    if (context.total == 0) return shorter;
    const double seen = entries_[place(key)].total, followers = context.followers;
    return (seen + followers * shorter) / (context.total + followers);
  }

 private:
  [[nodiscard]] size_t place(uint64_t key) const {
    size_t i = key * 0x9E3779B97F4A7C15 >> 20 & (entries_.size() - 1);
    while (entries_[i].key != key && entries_[i].key != 0) i = (i + 1) & (entries_.size() - 1);
    return i;
  }
  Entry& at(uint64_t key) {
    Entry& entry = entries_[place(key)];
    used_ += entry.key == 0;
    entry.key = key;
    return entry;
  }
  void grow() {
    std::vector<Entry> old(std::max<size_t>(1024, 2 * entries_.size()));
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.key != 0) entries_[place(entry.key)] = entry;
    }
  }

  std::vector<Entry> entries_;
  size_t used_ = 0;
};

}  // namespace

double unigram_bits_per_byte(std::string_view training, std::string_view validation) {
  std::array<double, kBytes> p = unigram(training);
  double bits = 0;
  for (size_t i = 0; i < validation.size(); ++i) bits -= std::log2(p[byte(validation, i)]);
  return bits / static_cast<double>(validation.size());
}

double ngram_bits_per_byte(std::string_view training, std::string_view validation, int order) {
  if (validation.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::array<double, kBytes> p = unigram(training);
  std::vector<Counts> counts(static_cast<size_t>(order) + 1);
  for (size_t n = 1; n < counts.size(); ++n) {
    for (size_t i = n; i < training.size(); ++i) counts[n].add(key_of(training, i, n));
  }
  double bits = 0;
  for (size_t i = 0; i < validation.size(); ++i) {
    double q = p[byte(validation, i)];
    for (size_t n = 1; n < counts.size() && n <= i; ++n)
      q = counts[n].share(key_of(validation, i, n), q);
    bits -= std::log2(q);
  }
  return bits / static_cast<double>(validation.size());
}

}  // namespace gyre
