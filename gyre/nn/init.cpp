#include "gyre/nn/init.h"

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/decompositions.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {
namespace {

// The one place that names the device of parameters and buffers.
TensorOptions options(Generator* generator, DType dtype = DType::f32) {
  return {.dtype = dtype, .device = default_device(), .generator = generator};
}

}  // namespace

bool is_unfilled(const Tensor& t) {
  return t.numel() > 1 &&
         std::ranges::all_of(t.strides(), [](int64_t stride) { return stride == 0; });
}

Tensor buffer(const Shape& shape, double value, DType dtype) {
  return (Unfilled::active() ? gyre::constant : full)(shape, value, options(nullptr, dtype));
}

Tensor zeros(const Shape& shape) { return nn::constant(shape, 0); }
Tensor ones(const Shape& shape) { return nn::constant(shape, 1); }

Tensor constant(const Shape& shape, double value) {
  return buffer(shape, value).set_requires_grad();
}

Tensor normal(const Shape& shape, double deviation, Generator* generator) {
  if (Unfilled::active()) return nn::zeros(shape);
  NoGrad scope;
  Tensor t = randn(shape, options(generator)) * Tensor(deviation);
  return t.set_requires_grad();
}

Tensor uniform(const Shape& shape, double bound, Generator* generator) {
  if (Unfilled::active()) return nn::zeros(shape);
  NoGrad scope;
  Tensor t = (rand(shape, options(generator)) * Tensor(2.0) - Tensor(1.0)) * Tensor(bound);
  return t.set_requires_grad();
}

Tensor trunc_normal(const Shape& shape, double deviation, double bound, Generator* generator) {
  if (!(bound >= 0.1)) {
    throw mismatch(Code::value, "trunc_normal", "bound must be 0.1 or more", ">= 0.1", bound);
  }
  if (Unfilled::active()) return nn::zeros(shape);
  NoGrad scope;
  Tensor t = randn(shape, options(generator));
  for (;;) {
    Tensor outside = abs(t) > Tensor(bound);
    if (!any(outside).item()) break;
    t = where(outside, randn(shape, options(generator)), t);
  }
  t = t * Tensor(deviation);
  return t.set_requires_grad();
}

Fan fan_of(const Shape& shape) {
  if (shape.rank < 2) {
    throw mismatch(Code::shape, "fan_of", "expected a weight with 2 or more axes", "[out, in, ...]",
                   shape);
  }
  check_shape(shape, sizeof(float), "fan_of");
  int64_t window = shape[0] && shape[1] ? numel(shape) / (shape[0] * shape[1]) : 0;
  return {shape[1] * window, shape[0] * window};
}

Tensor xavier(const Shape& shape, double gain, Generator* generator) {
  Fan fan = fan_of(shape);
  return uniform(shape, gain * std::sqrt(6.0 / static_cast<double>(fan.in + fan.out)), generator);
}

Tensor he(const Shape& shape, double gain, Generator* generator, FanMode mode) {
  Fan fan = fan_of(shape);
  return normal(shape,
                gain / std::sqrt(static_cast<double>(mode == FanMode::in ? fan.in : fan.out)),
                generator);
}

Tensor orthogonal(const Shape& shape, double gain, Generator* generator) {
  (void)fan_of(shape);  // throws for fewer than two axes
  if (Unfilled::active()) return nn::zeros(shape);
  NoGrad scope;
  int64_t out = shape[0], in = out ? numel(shape) / out : 0;
  Tensor drawn = randn({std::max(out, in), std::min(out, in)}, options(generator));
  QR parts = qr(drawn);
  // The QR factors are unique if r has a positive diagonal; then the distribution is uniform
  // (Haar).
  Tensor r = diagonal(parts.r);
  Tensor q = parts.q * where(lt(r, zeros_like(r)), Tensor(-1.0), ones_like(r));
  Tensor t = reshape(out < in ? transpose(q, 0, 1) : q, shape) * Tensor(gain);
  return t.set_requires_grad();
}

}  // namespace gyre::nn
