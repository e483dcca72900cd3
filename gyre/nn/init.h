#pragma once
#include "gyre/base/philox.h"
#include "gyre/tensor/tensor.h"

// Values that layers begin with. Each returns a new f32 leaf that requires a gradient. `generator`
// is advanced; nullptr is the thread's.

namespace gyre::nn {

Tensor zeros(const Shape& shape);
Tensor ones(const Shape& shape);
/// Independent N(0, deviation^2).
Tensor normal(const Shape& shape, double deviation, Generator* generator = nullptr);
/// Independent and uniform in [-bound, bound).
Tensor uniform(const Shape& shape, double bound, Generator* generator = nullptr);

/// How many inputs feed an element of a [out, in, ...] weight, and how many outputs it feeds.
struct Fan {
  int64_t in, out;
};
/// Error{shape} for a shape of less than two axes.
Fan fan_of(const Shape& shape);

/// Uniform with deviation gain sqrt(2 / (in + out)) (Glorot and Bengio 2010).
Tensor xavier(const Shape& shape, double gain = 1, Generator* generator = nullptr);
/// Normal with deviation gain / sqrt(in); gain sqrt(2) suits relu (He et al. 2015).
Tensor he(const Shape& shape, double gain = 1.4142135623730951, Generator* generator = nullptr);

}  // namespace gyre::nn
