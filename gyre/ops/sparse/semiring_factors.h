#pragma once
#include <limits>
#include <vector>

#include "gyre/ops/sparse/plans.h"
#include "gyre/ops/sparse/semiring_tiles.h"

// What runs over semirings ask of their factors.

namespace gyre {

/// The tiles of the instruction set in use, T = float or double.
template <class T>
const SemiringTiles<T>& semiring_tiles();

inline bool adds(Semiring s) { return s == Semiring::min_plus || s == Semiring::max_plus; }
inline bool is_least(Semiring s) { return s == Semiring::min_plus || s == Semiring::min_times; }
/// What loses to every number.
template <class T>
T identity_of(Semiring s) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  return is_least(s) ? kInfinity : -kInfinity;
}

/// Counts of the elements of a factor, T = float or double.
template <class T>
Specials specials_of(const ProductOperand& factor);

/// Whether a combination of an element of a and one of b may be NaN.
bool may_be_nan(Semiring s, const Specials& a, const Specials& b);

/// The elements of a matrix that are not the identity, row by row.
template <class T>
struct LiveElements {
  std::vector<int64_t> offsets, places;
  std::vector<T> values;

  // Both passes read in the order of memory.
  LiveElements(const ProductOperand& x, const T* data, T none)
      : offsets(static_cast<size_t>(x.rows()) + 2, 0) {
    const int64_t rows = x.rows(), columns = x.cols(), row = x.row_stride(), col = x.col_stride();
    const bool by_rows = col == 1 || columns <= 1;
    const int64_t outer = by_rows ? rows : columns, inner = by_rows ? columns : rows;
    const int64_t outer_step = by_rows ? row : col, inner_step = by_rows ? col : row;
    const auto each = [&](auto f) {
      for (int64_t i = 0; i < outer; ++i) {
        const T* from = data + i * outer_step;
        for (int64_t j = 0; j < inner; ++j) {
          if (const T v = from[j * inner_step]; v != none) f(by_rows ? i : j, by_rows ? j : i, v);
        }
      }
    };
    // next[r] is where the next element of row r goes, and in the end where row r + 1 begins
    int64_t* next = offsets.data() + 1;
    each([&](int64_t r, int64_t, T) { ++next[r + 1]; });
    for (int64_t r = 0; r < rows; ++r) next[r + 1] += next[r];
    const auto count = static_cast<size_t>(next[rows]);
    places.resize(count);
    values.resize(count);
    each([&](int64_t r, int64_t c, T v) {
      const auto to = static_cast<size_t>(next[r]++);
      places[to] = c;
      values[to] = v;
    });
  }
};

}  // namespace gyre
