#pragma once

#include <algorithm>
#include <cstddef>

namespace gyre {

/// Code points from `first` to `last`.
struct CodeRange {
  char32_t first, last;
};

/// The number of the row of a table sorted by `first` whose range first..last holds a code point,
/// or the number of rows.
template <class Row, size_t n>
[[nodiscard]] constexpr size_t range_index(const Row (&table)[n], char32_t code) {
  const Row* after = std::upper_bound(
      table, table + n, code, [](char32_t value, const Row& row) { return value < row.first; });
  const auto rows = static_cast<size_t>(after - table);
  return rows != 0 && code <= table[rows - 1].last ? rows - 1 : n;
}

template <class Row, size_t n>
[[nodiscard]] constexpr bool in_ranges(const Row (&table)[n], char32_t code) {
  return range_index(table, code) != n;
}

/// The row whose range holds a code point, or null.
template <class Row, size_t n>
[[nodiscard]] const Row* find_range(const Row (&table)[n], char32_t code) {
  const size_t i = range_index(table, code);
  return i != n ? table + i : nullptr;
}

}  // namespace gyre
