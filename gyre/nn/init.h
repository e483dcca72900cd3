#pragma once
#include "gyre/base/philox.h"
#include "gyre/tensor/tensor.h"

// Values that layers begin with. Each returns a new f32 leaf that requires a gradient. `generator`
// is advanced; nullptr is the thread's.

namespace gyre::nn {

Tensor zeros(const Shape& shape);
Tensor ones(const Shape& shape);
Tensor constant(const Shape& shape, double value);
/// Independent N(0, deviation^2).
Tensor normal(const Shape& shape, double deviation, Generator* generator = nullptr);
/// Independent and uniform in [-bound, bound).
Tensor uniform(const Shape& shape, double bound, Generator* generator = nullptr);

/// Independent N(0, deviation^2) without what is more than `bound` deviations from 0. Error{value}
/// for a bound below 0.1, where next to nothing would be left to draw.
Tensor trunc_normal(const Shape& shape, double deviation, double bound = 2,
                    Generator* generator = nullptr);

/// How many inputs feed an element of a [out, in, ...] weight, and how many outputs it feeds.
struct Fan {
  int64_t in, out;
};
/// Error{shape} for a shape of less than two axes.
Fan fan_of(const Shape& shape);

/// Uniform with deviation gain sqrt(2 / (in + out)) (Glorot and Bengio 2010).
Tensor xavier(const Shape& shape, double gain = 1, Generator* generator = nullptr);
/// Whether values keep their size on the way forward or gradients on the way back.
enum class FanMode : uint8_t { in, out };
/// Normal with deviation gain / sqrt(fan); gain sqrt(2) suits relu (He et al. 2015).
Tensor he(const Shape& shape, double gain = 1.4142135623730951, Generator* generator = nullptr,
          FanMode mode = FanMode::in);
/// gain times a matrix [out, in ...] whose rows or, if there are fewer, columns are orthonormal,
/// each such matrix with the same probability (Saxe et al. 2014). Error{shape} for a shape of less
/// than two axes; Error{unavailable} in a build without LAPACK.
Tensor orthogonal(const Shape& shape, double gain = 1, Generator* generator = nullptr);

}  // namespace gyre::nn
