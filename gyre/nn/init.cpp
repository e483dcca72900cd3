#include "gyre/nn/init.h"

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"

namespace gyre::nn {

Tensor zeros(const Shape& shape) { return gyre::zeros(shape, {.requires_grad = true}); }
Tensor ones(const Shape& shape) { return gyre::ones(shape, {.requires_grad = true}); }

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

Fan fan_of(const Shape& shape) {
  if (shape.rank < 2) {
    throw Error(Code::shape, "fan_of", "a weight has two axes or more, this is " + to_string(shape),
                "[out, in, ...]", to_string(shape));
  }
  int64_t window = shape[0] && shape[1] ? numel(shape) / (shape[0] * shape[1]) : 0;
  return {shape[1] * window, shape[0] * window};
}

Tensor xavier(const Shape& shape, double gain, Generator* generator) {
  Fan fan = fan_of(shape);
  return uniform(shape, gain * std::sqrt(6.0 / static_cast<double>(fan.in + fan.out)), generator);
}

Tensor he(const Shape& shape, double gain, Generator* generator) {
  return normal(shape, gain / std::sqrt(static_cast<double>(fan_of(shape).in)), generator);
}

}  // namespace gyre::nn
