#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gyre/op/op_def.h"

// Tensors to numbers and back without any op: the suite must not depend on what it tests.

namespace gyre::conformance {

using Values = std::vector<double>;

/// f(offset) for each element of a shape in row-major order, at these strides.
template <class F>
void each_offset(const Shape& shape, const Shape& strides, F f) {
  const int last = shape.rank - 1;
  const int64_t row = last < 0 ? 1 : shape[last], step = last < 0 ? 0 : strides[last];
  int64_t at[kMaxRank] = {}, begin = 0;
  for (int64_t left = numel(shape); left > 0; left -= row) {
    for (int64_t i = 0; i < row; ++i) f(begin + i * step);
    for (int k = last; k-- > 0;) {
      begin += strides[k];
      if (++at[k] < shape[k]) break;
      begin -= shape[k] * strides[k];
      at[k] = 0;
    }
  }
}

/// Elements in row-major order, whatever the layout; of packed weights, what they decode to.
Values values_of(const Tensor& t);
/// One number rounded to a dtype: nearest even for floats; integers truncate and wrap.
double rounded(double x, DType dtype);
/// True when both hold the same bits (and shape and dtype) in row-major order; packed weights: the
/// same headers and words.
bool same_bits(const Tensor& a, const Tensor& b);
/// The distance between neighbours of dtype at |x| (one ulp).
double spacing(DType dtype, double x);

/// The error of a result.
struct Distance {
  bool within = true;
  /// worst element, both values, error, allowed error, all as text
  std::string what;
};

/// Compares a result with reference values. Integers and booleans must be equal (integers modulo
/// their range). Floats may differ by `ulp` units in the last place: of each element for pointwise
/// results, else the norm of the error relative to the norm of the reference, at least `floor`.
Distance compare(const Tensor& result, const Values& reference, double ulp, bool by_element,
                 double floor = 0);

double norm_of(const Values& v);

/// Uneven f64 weights of the shape of t: a weighted sum of a normalised result is not constant.
Tensor weights_for(const Tensor& t);

}  // namespace gyre::conformance
