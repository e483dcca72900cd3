#pragma once
#include <stdint.h>

namespace gyre {

/// A block of C = A B that needs no further splitting. Strides are in elements.
/// A has groups of `GemmTiles::group` rows: element (i, k) of group q at
/// a[q * a_group + i * a_row + k * a_col]. B comes as panels of `GemmTiles::cols` columns: element
/// (k, j) of panel p at b[p * b_panel + k * b_row + j], readable up to a multiple of the vector
/// width.
template <class T>
struct GemmBlock {
  int64_t rows, cols, depth;
  const T* a;
  int64_t a_row, a_col, a_group;
  const T* b;
  int64_t b_row, b_panel;
  T* c;
  int64_t c_row;
  bool accumulate;  ///< C += A B
  const T* bias;    ///< [cols], added to every row; may be null
  bool by_rows;     ///< row by row of tiles, panels of B in the second cache; else by panels
  const T* ahead;   ///< rows of B that will be needed next, fetched meanwhile; may be null
  int64_t ahead_row;
  /// Row minus column of the block's first element in C: register tiles that lie wholly below C's
  /// diagonal are skipped. The default skips none.
  int64_t diagonal = INT64_MIN / 2;
};

/// A matrix to be copied into the form that GemmBlock wants. Element (i, j) of [rows, cols] lies at
/// data[i * row + j * col]; its type is the loader's.
struct PackSource {
  const void* data;
  int64_t row, col;
  int64_t rows, cols;
};

/// Where packed elements go: element (i, j) to data[j / panel * panel_stride + i * row + j %
/// panel]. Each row of a panel is padded with zeros to a multiple of the vector width.
template <class T>
struct PackTarget {
  T* data;
  int64_t row, panel, panel_stride;
};

template <class T>
using Pack = void (*)(const PackSource& from, const PackTarget<T>& to) noexcept;

/// Copies a matrix into panels, converting to T.
template <class T>
struct PackTiles {
  Pack<T> rows;     ///< rows run along the depth; needs from.col == 1
  Pack<T> columns;  ///< rows run along the depth; needs from.row == 1
  Pack<T> along;    ///< columns run along the depth; needs from.col == 1
};

/// y[j] (+)= sum over k of x[k * x_stride] * b[k * b_row + j] for j < cols.
template <class T>
struct RowTimesMatrix {
  int64_t cols, depth;
  const T* x;
  int64_t x_stride;
  const T* b;
  int64_t b_row;
  T* y;
  bool accumulate;
  const T* bias;
};

/// A whole product C = A B of any strides: element (i, j) of C at c[i * c_row + j].
template <class T>
struct TinyProduct {
  int64_t rows, cols, depth;
  const T* a;
  int64_t a_row, a_col;
  const T* b;
  int64_t b_row, b_col;
  T* c;
  int64_t c_row;
};

/// What an instruction set gives to products of T (float or double).
template <class T>
struct GemmTiles {
  int rows, cols;  ///< of the register tile
  int group;       ///< rows of a group of A: a multiple of `rows` and of `width`
  int width;       ///< lanes of a vector; cols is a multiple of it
  void (*block)(const GemmBlock<T>&) noexcept;
  /// C = A B^T with depth contiguous in both: element (k, j) of B at b[j * b_row + k], a_col == 1,
  /// a_group and b_panel unused. Sums run in vectors along the depth.
  void (*dot)(const GemmBlock<T>&) noexcept;
  void (*row)(const RowTimesMatrix<T>&) noexcept;
  /// Element by element, with the sums of `block`.
  void (*tiny)(const TinyProduct<T>&) noexcept;
  PackTiles<T> pack;
};

/// Products of 16-bit floats without conversion: a packed element is two neighbours along the
/// depth, an odd last one with zero. Null where the instruction set has no such product.
struct PairTiles {
  void (*block)(const GemmBlock<float>&) noexcept;
  PackTiles<float> pack;
};

/// Conversion between 16-bit floats and f32 in products.
struct HalfTiles {
  PackTiles<float> pack;
  PairTiles pairs;
  /// As that of GemmTiles, on 16-bit elements: sums in f32, rounded once.
  void (*dot)(const GemmBlock<uint16_t>&) noexcept;
  /// Rows of f32 to 16 bits: out[i * out_row + j] = in[i * in_row + j].
  void (*store)(const float* in, int64_t in_row, void* out, int64_t out_row, int64_t rows,
                int64_t cols) noexcept;
  /// out = in + old value of out, rounded once.
  void (*add)(const float* in, int64_t in_row, void* out, int64_t out_row, int64_t rows,
              int64_t cols) noexcept;
};

struct AllGemmTiles {
  GemmTiles<float> f32;
  GemmTiles<double> f64;
  HalfTiles f16, bf16;
};

}  // namespace gyre
