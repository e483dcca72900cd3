#pragma once
#include "gyre/base/philox.h"
#include "gyre/tensor/tensor.h"

// Initial values of parameters and buffers, which are made here alone. Each function but buffer()
// returns a new f32 leaf that requires a gradient and advances `generator` (nullptr: the thread's).

namespace gyre::nn {

/// In this scope (of this thread; scopes nest) the functions below neither draw nor fill nor
/// advance a generator: they return tensors with one element in memory (strides 0), not to be
/// written to. For modules whose state is loaded next: Module::to keeps such tensors,
/// load_state_dict and lend_state replace them.
class Unfilled : ScopedValue<bool> {
 public:
  [[nodiscard]] explicit Unfilled(bool wanted = true) : ScopedValue(active_, active_ || wanted) {}
  /// Whether this thread is in such a scope.
  static bool active() { return active_; }

 private:
  static inline thread_local bool active_ = false;
};
/// Whether all elements of `t`, more than one, share the memory of one.
bool is_unfilled(const Tensor& t);

/// A tensor of equal values without a gradient.
Tensor buffer(const Shape& shape, double value, DType dtype = DType::f32);

Tensor zeros(const Shape& shape);
Tensor ones(const Shape& shape);
Tensor constant(const Shape& shape, double value);
/// Independent N(0, deviation²).
Tensor normal(const Shape& shape, double deviation, Generator* generator = nullptr);
/// Independent, uniform in [-bound, bound).
Tensor uniform(const Shape& shape, double bound, Generator* generator = nullptr);

/// Truncated normal distribution: independent N(0, deviation²), redrawn where more than `bound`
/// deviations from 0. Error{value} for a bound below 0.1, where almost every draw is rejected.
Tensor trunc_normal(const Shape& shape, double deviation, double bound = 2,
                    Generator* generator = nullptr);

/// Fan-in and fan-out of a weight [out, in, ...].
struct Fan {
  int64_t in, out;
};
/// Error{shape} for a shape of fewer than two axes.
Fan fan_of(const Shape& shape);

/// Xavier uniform: standard deviation gain sqrt(2 / (in + out)) (Glorot and Bengio 2010).
Tensor xavier(const Shape& shape, double gain = 1, Generator* generator = nullptr);
/// Preserve the variance of activations in the forward pass (in) or of gradients in the backward
/// pass (out).
enum class FanMode : uint8_t { in, out };
/// Kaiming normal: standard deviation gain / sqrt(fan); gain sqrt(2) is for ReLU (He et al. 2015).
Tensor he(const Shape& shape, double gain = 1.4142135623730951, Generator* generator = nullptr,
          FanMode mode = FanMode::in);
/// gain times a random matrix [out, in ...] with orthonormal rows or, if there are fewer, columns,
/// uniform over all such matrices (Saxe et al. 2014). Error{shape} for a shape of fewer than two
/// axes; Error{unavailable} in a build without LAPACK.
Tensor orthogonal(const Shape& shape, double gain = 1, Generator* generator = nullptr);

}  // namespace gyre::nn
