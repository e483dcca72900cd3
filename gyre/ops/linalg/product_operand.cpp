#include "gyre/ops/linalg/product_operand.h"

#include "gyre/kernel/copy.h"

namespace gyre {

ProductOperand::ProductOperand(const View& v, bool as_column, DType dtype) : view(v) {
  if (v.shape.rank == 1) {
    int64_t n = v.shape[0], stride = v.strides[0];
    view.shape = as_column ? Shape{n, 1} : Shape{1, n};
    view.strides = as_column ? Shape{stride, 1} : Shape{1, stride};
  }
  bool by_rows = col_stride() == 1 || cols() <= 1, by_cols = row_stride() == 1 || rows() <= 1;
  bool overlapping = (rows() > 1 && row_stride() == 0) || (cols() > 1 && col_stride() == 0);
  copied = v.dtype != dtype || overlapping || !(by_rows || by_cols);
}

ProductOperand ProductOperand::by_rows(const View& v, DType dtype) {
  ProductOperand p(v, false, dtype);
  p.copied = p.copied || (p.col_stride() != 1 && p.cols() > 1);
  return p;
}

Shape ProductOperand::batch() const {
  Shape s;
  for (int i = 0; i + 2 < view.shape.rank; ++i) s.push_back(view.shape[i]);
  return s;
}

size_t ProductOperand::copy_bytes(DType dtype) const {
  if (!copied) return 0;
  return (static_cast<size_t>(numel(view.shape)) * size_of(dtype) + 63) / 64 * 64;
}

int64_t ProductOperand::offset(const Shape& space, int64_t index) const {
  return broadcast_offset(view.shape, view.strides, view.shape.rank - 2, space, index);
}

Status copy_needed(std::initializer_list<ProductOperand*> operands, std::byte*& memory,
                   DType dtype) {
  for (ProductOperand* p : operands) {
    if (!p->copied) continue;
    const Shape& shape = p->view.shape;
    View to{memory, shape, contiguous_strides(shape), dtype, p->view.device};
    memory += p->copy_bytes(dtype);
    if (Status s = copy_elements(p->view, to); s.failed) return s;
    p->view = to;
  }
  return {};
}

}  // namespace gyre
