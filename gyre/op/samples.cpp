#include "gyre/op/samples.h"

#include <cmath>
#include <utility>

#include "gyre/base/philox.h"

namespace gyre {

Samples::Samples(const OpDef& op, uint64_t seed) : seed_(seed) {
  if (op.attrs) defaults_ = make_ref<OpenAttrs>(*op.attrs);
  if (op.samples) op.samples(*this);
}

double Samples::draw() {
  auto words = philox(seed_, drawn_++);
  return (static_cast<double>(words[0]) + static_cast<double>(words[1]) * 0x1p-32) * 0x1p-32;
}

Tensor Samples::uniform(const Shape& shape, double low, double high) {
  Tensor t = empty(shape, DType::f64);
  double* p = t.data<double>();
  for (int64_t i = 0; i < t.numel(); ++i) p[i] = low + (high - low) * draw();
  return t;
}

Tensor Samples::spread(int64_t n, double low, double high) {
  Tensor t = uniform({n}, 0, 1);
  double* p = t.data<double>();
  for (int64_t i = 0; i < n; ++i) {
    p[i] = low + (high - low) * (static_cast<double>(i) + p[i]) / static_cast<double>(n);
  }
  for (int64_t i = n; i-- > 1;) {
    std::swap(p[i], p[static_cast<int64_t>(draw() * static_cast<double>(i + 1))]);
  }
  return t;
}

Tensor Samples::integers(const Shape& shape, int64_t low, int64_t high) {
  Tensor t = empty(shape, DType::i64);
  int64_t* p = t.data<int64_t>();
  for (int64_t i = 0; i < t.numel(); ++i) {
    p[i] = low + static_cast<int64_t>(std::floor(static_cast<double>(high - low) * draw()));
  }
  return t;
}

Tensor Samples::mask(const Shape& shape) {
  Tensor t = empty(shape, DType::boolean);
  bool* p = t.data<bool>();
  for (int64_t i = 0; i < t.numel(); ++i) p[i] = draw() < 0.5;
  return t;
}

Tensor Samples::values(std::initializer_list<double> values) {
  Tensor t = empty(Shape{static_cast<int64_t>(values.size())}, DType::f64);
  double* p = t.data<double>();
  for (double v : values) *p++ = v;
  return t;
}

Tensor Samples::indices(std::initializer_list<int64_t> values) {
  Tensor t = empty(Shape{static_cast<int64_t>(values.size())}, DType::i64);
  int64_t* p = t.data<int64_t>();
  for (int64_t v : values) *p++ = v;
  return t;
}

}  // namespace gyre
