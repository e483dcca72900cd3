#include "gyre/ops/linalg/product_operand.h"

#include "gyre/base/thread_pool.h"

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

void ProductOperand::copy_if_needed(std::byte*& memory, DType dtype) {
  if (!copied) return;
  View to{memory, view.shape, contiguous_strides(view.shape), dtype};
  memory += copy_bytes(dtype);
  const View* views[] = {&view, &to};
  StridedLoop loop(view.shape, views);
  Compute compute = compute_of(dtype);
  parallel_for(loop.size(), kGrain, [&](int64_t begin, int64_t end) {
    alignas(64) std::byte buffer[kTile * 8];
    Reader reader(loop, 0, compute);
    Writer writer(loop, 1, compute);
    for (int64_t i = begin; i < end; i += kTile) {
      int64_t n = end - i < kTile ? end - i : kTile;
      const void* values = reader.read(i, n, buffer);
      std::byte* target = static_cast<std::byte*>(writer.target(i, buffer));
      if (values != target) {
        __builtin_memcpy(target, values, static_cast<size_t>(n) * size_of(compute));
      }
      writer.commit(i, n, target);
    }
  });
  view = to;
  copied = false;
}

int64_t ProductOperand::offset(const Shape& space, int64_t index) const {
  int64_t offset = 0;
  int own = view.shape.rank - 2;
  for (int i = space.rank; i-- > 0; index /= space[i]) {
    int j = i - (space.rank - own);
    if (j >= 0 && view.shape[j] != 1) offset += index % space[i] * view.strides[j];
  }
  return offset;
}

}  // namespace gyre
