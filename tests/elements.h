#pragma once
#include <cmath>
#include <vector>

#include "gyre/ops/elements.h"
#include "gyre/tensor/tensor.h"

// The slow, certain way to a tensor's elements, for tests of the ops that everything else uses.

namespace gyre {

/// f64: 0, 1, 2, ...
inline Tensor counting(const Shape& shape) {
  Tensor t = empty(shape, DType::f64);
  double* to = t.data<double>();
  for (int64_t i = 0, n = t.numel(); i < n; ++i) to[i] = static_cast<double>(i);
  return t;
}

/// f64, these values in one axis.
inline Tensor tensor_of(const std::vector<double>& values) {
  Tensor t = empty(Shape{static_cast<int64_t>(values.size())}, DType::f64);
  for (size_t i = 0; i < values.size(); ++i) t.data<double>()[i] = values[i];
  return t;
}

/// All elements in row-major order, found one by one through shape and strides.
inline std::vector<double> elements(const Tensor& t) {
  std::vector<double> r(static_cast<size_t>(t.numel()));
  double* to = r.data();
  visit_dtype(t.dtype(), [&]<class T>(T) {
    const T* from = t.data<T>();
    for (int64_t i = 0, n = t.numel(); i < n; ++i) {
      int64_t rest = i, offset = 0;
      for (int k = t.rank(); k-- > 0;) {
        offset += rest % t.shape()[k] * t.strides()[k];
        rest /= t.shape()[k];
      }
      to[i] = static_cast<double>(value_of(from[offset]));
    }
  });
  return r;
}

}  // namespace gyre
