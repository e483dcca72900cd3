#include "gyre/ops/linalg/matrix_parts.h"

#include <algorithm>

#include "gyre/ops/create/create.h"

namespace gyre {

Tensor mask_like(const Tensor& x, double below, double on, double above) {
  int64_t rows = x.size(-2), cols = x.size(-1);
  std::vector<double> values;
  values.reserve(static_cast<size_t>(rows * cols));
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) values.push_back(i > j ? below : i == j ? on : above);
  }
  return to(on_device(tensor(values, {rows, cols}), x.device()), x.dtype());
}

Tensor well_conditioned(Samples& s, const Shape& shape, double first, double step) {
  std::vector<double> values = to_vector<double>(s.uniform(shape));
  auto rows = static_cast<size_t>(shape.back(1)), cols = static_cast<size_t>(shape.back(0)),
       least = std::min(rows, cols);
  for (size_t k = 0; k < values.size(); k += rows * cols) {
    for (size_t i = 0; i < least; ++i) {
      values[k + i * cols + i] += first + step * static_cast<double>(i);
    }
  }
  return tensor(values, shape);
}

}  // namespace gyre
