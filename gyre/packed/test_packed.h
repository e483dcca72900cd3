#pragma once
#include <cmath>
#include <string>

#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"
#include "gyre/packed/packed.h"

// For the tests of packed tensors.

namespace gyre {

inline Tensor normal(const Shape& shape, uint64_t seed) {
  Generator g{seed, 0};
  return randn(shape, {.generator = &g});
}

/// Packed independent N(0, size^2) weights that require grad.
inline Tensor packed_leaf(double size, const Shape& shape, const RingFormat& format,
                          uint64_t seed) {
  Tensor w = packed_encode(normal(shape, seed) * Tensor(size), format);
  w.set_requires_grad();
  return w;
}

/// The size of a - b over that of b.
inline double distance(const Tensor& a, const Tensor& b) {
  const auto x = to_vector<double>(a), y = to_vector<double>(b);
  double error = 0, size = 1e-300;
  for (size_t i = 0; i < x.size(); ++i) {
    error += (x[i] - y[i]) * (x[i] - y[i]);
    size += y[i] * y[i];
  }
  return std::sqrt(error / size);
}

/// Headers and words.
inline std::string bytes_of(const Tensor& packed) {
  const std::vector<std::byte> stored = packed_storage(packed).stored();
  return {reinterpret_cast<const char*>(stored.data()), stored.size()};
}

}  // namespace gyre
