#include "gyre/hyperbolic/nn/curved_layer.h"

#include <cmath>

#include "gyre/base/half.h"
#include "gyre/nn/refuse.h"
#include "gyre/tensor/batched.h"

namespace gyre::nn {
namespace {

double element(const Tensor& t, int64_t at) {
  switch (t.dtype()) {
    case DType::f64:
      return t.data<double>()[at];
    case DType::f16:
      return to_float(t.data<f16>()[at]);
    case DType::bf16:
      return to_float(t.data<bf16>()[at]);
    default:
      return t.data<float>()[at];
  }
}

// Index of the first row along the axis that begins with NaN, or -1.
int64_t first_nan_row(const Tensor& t, int axis) {
  if (t.rank() == 0 || t.numel() == 0) return -1;
  const Shape& strides = t.impl()->strides;
  int64_t rows = t.numel() / t.size(axis);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t at = 0, rest = row;
    for (int i = t.rank(); i-- > 0;) {
      if (i == axis) continue;
      at += rest % t.size(i) * strides[i];
      rest /= t.size(i);
    }
    if (std::isnan(element(t, at))) return row;
  }
  return -1;
}

}  // namespace

Tensor CurvedLayer::operator()(const Tensor& x) const {
  Tensor y = run(x, curvature_()), all = all_slices(y);
  const int axis = point_axis(), rank = axis < 0 ? all.rank() : all.rank() - y.rank();
  if (int64_t row = first_nan_row(all, rank + axis); row >= 0) {
    throw Error(Code::value, name_,
                fmt::format("expected rows that are points of the space, got NaN in row {} of the "
                            "result; project the input onto the manifold",
                            row),
                "points of the space", fmt::format("NaN in row {}", row));
  }
  return y;
}

}  // namespace gyre::nn
