#pragma once
#include <stdint.h>

namespace gyre {

/// A block of a product over a semiring: c_ij = the better of c_ij and of the combinations of a_il
/// and b_lj, l < depth. Where one is better than c_ij was, place_ij = first + the least such l.
template <class T>
struct SemiringBlock {
  int64_t rows, cols, depth;
  const T* a;
  int64_t a_row, a_col;
  const T* b;
  int64_t b_row;  ///< elements of a row are adjacent
  T* c;
  int64_t c_row;
  int64_t* place;  ///< rows as those of c; null: not wanted
  int64_t first;
};

/// The same for one row of a sparse a: b has rows places[l], a the elements values[l], l < depth;
/// place_j = places[l].
template <class T>
struct SemiringRow {
  const T* values;
  const int64_t* places;
  int64_t depth;
  const T* b;
  int64_t b_row;
  T* c;
  int64_t* place;
  int64_t cols;
};

/// The edges into one row: c_i of each row i = rows[e] becomes the better of itself and of
/// values[e] + from_j, and changed[i] 1 if an element does.
template <class T>
struct SemiringPush {
  const T* from;
  const T* values;
  const int64_t* rows;
  int64_t count;
  T* c;
  int64_t c_row, cols;
  uint8_t* changed;
};

/// How many elements are NaN, infinity, -infinity and zero.
struct Specials {
  int64_t nan = 0, positive = 0, negative = 0, zero = 0;
};

template <class T>
struct SemiringTiles {
  /// In order of Semiring. `finite`: for factors whose combinations are never NaN; `any`: NaN wins.
  void (*finite[4])(const SemiringBlock<T>&) noexcept;
  void (*any[4])(const SemiringBlock<T>&) noexcept;
  /// min_plus and max_plus, of such factors as `finite`.
  void (*row[2])(const SemiringRow<T>&) noexcept;
  void (*push[2])(const SemiringPush<T>&) noexcept;
  /// Adds the counts of n elements.
  void (*count)(const T* x, int64_t n, Specials& found) noexcept;
};

struct AllSemiringTiles {
  SemiringTiles<float> f32;
  SemiringTiles<double> f64;
};

}  // namespace gyre
