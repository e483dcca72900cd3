#pragma once
#include <stdint.h>

namespace gyre {

/// A row of a sparse matrix times n columns of a dense one: out[j] is the sum over i < count of
/// values[i] * dense[columns[i] * dense_row + j].
template <class T>
struct SparseRow {
  const T* values;
  const int64_t* columns;
  int64_t count;
  const T* dense;
  int64_t dense_row;
  T* out;
  int64_t n;
};

/// Elements of a product of dense matrices in one row: out[i] is the sum over l < depth of
/// x[l] * y[columns[i] * y_row + l], for i < count.
template <class T>
struct SampledRow {
  const T* x;
  const T* y;
  int64_t y_row, depth;
  const int64_t* columns;
  int64_t count;
  T* out;
};

/// Products with sparse matrices of one instruction set.
template <class T>
struct CsrTiles {
  void (*row)(const SparseRow<T>&) noexcept;
  void (*sampled)(const SampledRow<T>&) noexcept;
};

struct AllCsrTiles {
  CsrTiles<float> f32;
  CsrTiles<double> f64;
};

}  // namespace gyre
