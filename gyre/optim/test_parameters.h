#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/optimizer.h"

// Parameters and gradients for the tests of this folder.

namespace gyre {

inline Tensor leaf(const Shape& shape, uint64_t seed, DType dtype = DType::f32) {
  Generator g{seed, 0};
  return randn(shape, {.dtype = dtype, .generator = &g}).set_requires_grad();
}

inline void set_gradient(const Tensor& p, uint64_t seed, double size = 1) {
  NoGrad scope;
  Generator g{seed, 0};
  p.impl()->grad = (randn(p.shape(), {.dtype = p.dtype(), .generator = &g}) * size).ref();
}

/// The bytes of a tensor, for bitwise comparison.
inline std::string bits_of(const Tensor& t) {
  Tensor c = contiguous(t);
  return {reinterpret_cast<const char*>(c.bytes()),
          static_cast<size_t>(c.numel()) * size_of(c.dtype())};
}

/// Names and bytes of a state and of further tensors.
inline std::vector<std::string> bits_of(std::span<const NamedTensor> state,
                                        std::span<const Tensor> more = {}) {
  std::vector<std::string> all;
  for (const NamedTensor& t : state) all.push_back(t.name + ":" + bits_of(t.tensor));
  for (const Tensor& t : more) all.push_back(bits_of(t));
  return all;
}

/// A deep copy of a state, as if read from a file.
inline std::vector<NamedTensor> copy_of(std::span<const NamedTensor> state) {
  NoGrad scope;
  std::vector<NamedTensor> copy;
  for (const NamedTensor& t : state) copy.push_back({t.name, clone(t.tensor)});
  return copy;
}

}  // namespace gyre
