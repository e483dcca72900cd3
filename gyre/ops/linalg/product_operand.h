#pragma once
#include <initializer_list>

#include "gyre/op/op_def.h"

namespace gyre {

/// An operand of a product as batches of matrices in a layout that gemm accepts.
struct ProductOperand {
  View view;            ///< at least rank 2; batch axes first
  bool copied = false;  ///< must be copied before use: no unit stride, or another dtype

  /// `as_column`: a vector becomes [k, 1] instead of [1, k]. `dtype`: of the product.
  ProductOperand(const View& v, bool as_column, DType dtype);
  /// An operand with contiguous rows of the dtype.
  static ProductOperand by_rows(const View& v, DType dtype);
  int64_t rows() const { return view.shape.back(1); }
  int64_t cols() const { return view.shape.back(0); }
  int64_t row_stride() const { return view.strides.back(1); }
  int64_t col_stride() const { return view.strides.back(0); }
  Shape batch() const;
  /// Bytes needed for a copy, 0 if none; a multiple of 64.
  size_t copy_bytes(DType dtype) const;
  /// Offset in elements of the matrix at `index` of the row-major batch space.
  int64_t offset(const Shape& space, int64_t index) const;
};

/// The plan (op/launch.h) of matmul and linear: for each matrix of the batch, which a and b
/// broadcast to, out = a b + bias.
struct ProductPlan {
  DType dtype;  ///< of both operands, the result and the bias
  ProductOperand a, b;
  Shape batch;
  std::byte *out, *bias = nullptr;  ///< contiguous; bias [columns] may be null

  // An aggregate would be cleared first.
  ProductPlan(const View& x, const View& y, const View& result)
      : dtype(result.dtype), a(x, false, dtype), b(y, true, dtype), out(result.data) {}
};

/// Copies the operands that must be into `memory`, in their order, and advances `memory`.
Status copy_needed(std::initializer_list<ProductOperand*> operands, std::byte*& memory,
                   DType dtype);

}  // namespace gyre
