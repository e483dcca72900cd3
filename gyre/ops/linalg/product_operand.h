#pragma once
#include "gyre/kernel/strided.h"
#include "gyre/op/op_def.h"

namespace gyre {

/// A product's operand as batches of matrices in a layout that gemm takes.
struct ProductOperand {
  View view;            ///< at least rank 2; batch axes first
  bool copied = false;  ///< must be copied before use: no unit stride, or another dtype

  /// `as_column`: a vector becomes [k, 1] instead of [1, k]. `dtype`: of the product.
  ProductOperand(const View& v, bool as_column, DType dtype);
  /// An operand whose rows have adjacent elements of the dtype.
  static ProductOperand by_rows(const View& v, DType dtype);
  int64_t rows() const { return view.shape.back(1); }
  int64_t cols() const { return view.shape.back(0); }
  int64_t row_stride() const { return view.strides.back(1); }
  int64_t col_stride() const { return view.strides.back(0); }
  Shape batch() const;
  /// Bytes that a copy takes, 0 without one; a multiple of 64.
  size_t copy_bytes(DType dtype) const;
  /// Copies into `memory` if that is needed and moves `memory` on.
  void copy_if_needed(std::byte*& memory, DType dtype);
  /// Elements from the first matrix to the one at `index` of the row-major batch space.
  int64_t offset(const Shape& space, int64_t index) const;
};

}  // namespace gyre
