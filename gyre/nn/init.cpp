#include "gyre/nn/init.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/decompositions.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {

Tensor zeros(const Shape& shape) { return gyre::zeros(shape, {.requires_grad = true}); }
Tensor ones(const Shape& shape) { return gyre::ones(shape, {.requires_grad = true}); }

Tensor constant(const Shape& shape, double value) {
  return full(shape, value, {.requires_grad = true});
}

Tensor normal(const Shape& shape, double deviation, Generator* generator) {
  NoGrad scope;
  Tensor t = randn(shape, {.generator = generator}) * Tensor(deviation);
  return t.set_requires_grad();
}

Tensor uniform(const Shape& shape, double bound, Generator* generator) {
  NoGrad scope;
  Tensor t = (rand(shape, {.generator = generator}) * Tensor(2.0) - Tensor(1.0)) * Tensor(bound);
  return t.set_requires_grad();
}

Tensor trunc_normal(const Shape& shape, double deviation, double bound, Generator* generator) {
  if (!(bound >= 0.1)) {
    throw Error(Code::value, "trunc_normal",
                "bound must be 0.1 or more, got " + std::to_string(bound), ">= 0.1",
                std::to_string(bound));
  }
  NoGrad scope;
  Tensor t = randn(shape, {.generator = generator});
  for (;;) {
    Tensor outside = abs(t) > Tensor(bound);
    if (!any(outside).item()) break;
    t = where(outside, randn(shape, {.generator = generator}), t);
  }
  t = t * Tensor(deviation);
  return t.set_requires_grad();
}

Fan fan_of(const Shape& shape) {
  if (shape.rank < 2) {
    throw Error(Code::shape, "fan_of",
                "expected a weight with 2 or more axes, got " + to_string(shape), "[out, in, ...]",
                to_string(shape));
  }
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
  NoGrad scope;
  int64_t out = shape[0], in = out ? numel(shape) / out : 0;
  Tensor drawn = randn({std::max(out, in), std::min(out, in)}, {.generator = generator});
  QR parts = qr(drawn);
  // The QR factors are unique if r has a positive diagonal; then the distribution is uniform
  // (Haar).
  Tensor r = diagonal(parts.r);
  Tensor q = parts.q * where(lt(r, zeros_like(r)), Tensor(-1.0), ones_like(r));
  Tensor t = reshape(out < in ? transpose(q, 0, 1) : q, shape) * Tensor(gain);
  return t.set_requires_grad();
}

}  // namespace gyre::nn
