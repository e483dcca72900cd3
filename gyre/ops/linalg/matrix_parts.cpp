#include "gyre/ops/linalg/matrix_parts.h"

#include "gyre/ops/create/create.h"

namespace gyre {

Tensor mask_like(const Tensor& x, double below, double on, double above) {
  int64_t rows = x.size(-2), cols = x.size(-1);
  Tensor t = empty({rows, cols}, DType::f64);
  double* to = t.data<double>();
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) *to++ = i > j ? below : i == j ? on : above;
  }
  return gyre::to(on_device(t, x.device()), x.dtype());
}

Tensor well_conditioned(Samples& s, const Shape& shape, double first, double step) {
  Tensor t = s.uniform(shape);
  int64_t rows = shape.back(1), cols = shape.back(0), least = rows < cols ? rows : cols;
  double* at = t.data<double>();
  for (int64_t k = 0; k * rows * cols < t.numel(); ++k, at += rows * cols) {
    for (int64_t i = 0; i < least; ++i) at[i * cols + i] += first + step * static_cast<double>(i);
  }
  return t;
}

}  // namespace gyre
