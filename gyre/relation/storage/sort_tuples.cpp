#include "gyre/relation/storage/sort_tuples.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace gyre {

void sort_tuples(std::vector<uint32_t>& tuples, int arity) {
  if (arity == 0) return;
  if (arity == 1) {
    std::sort(tuples.begin(), tuples.end());
    return;
  }
  const auto width = static_cast<size_t>(arity);
  const size_t count = tuples.size() / width;
  if (arity == 2) {
    std::vector<uint64_t> pairs(count);
    for (size_t i = 0; i < count; ++i) {
      pairs[i] = uint64_t{tuples[2 * i]} << 32 | tuples[2 * i + 1];
    }
    if (!std::is_sorted(pairs.begin(), pairs.end())) std::sort(pairs.begin(), pairs.end());
    for (size_t i = 0; i < count; ++i) {
      tuples[2 * i] = static_cast<uint32_t>(pairs[i] >> 32);
      tuples[2 * i + 1] = static_cast<uint32_t>(pairs[i]);
    }
    return;
  }
  std::vector<const uint32_t*> order(count);
  for (size_t i = 0; i < count; ++i) order[i] = tuples.data() + i * width;
  std::sort(order.begin(), order.end(), [=](const uint32_t* a, const uint32_t* b) {
    return std::lexicographical_compare(a, a + width, b, b + width);
  });
  std::vector<uint32_t> sorted(tuples.size());
  for (size_t i = 0; i < count; ++i) std::copy_n(order[i], width, sorted.data() + i * width);
  tuples = std::move(sorted);
}

}  // namespace gyre
