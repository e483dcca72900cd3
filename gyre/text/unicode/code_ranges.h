#pragma once

#include <algorithm>
#include <cstddef>

namespace gyre {

/// Code points from `first` to `last`.
struct CodeRange {
  char32_t first, last;
};

/// The row of a table sorted by `first` whose range first..last holds a code point, or null.
template <class Row, size_t n>
[[nodiscard]] constexpr const Row* find_range(const Row (&table)[n], char32_t code) {
  const Row* after = std::upper_bound(
      table, table + n, code, [](char32_t value, const Row& row) { return value < row.first; });
  return after != table && code <= after[-1].last ? after - 1 : nullptr;
}

}  // namespace gyre
