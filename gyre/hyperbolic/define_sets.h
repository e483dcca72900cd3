#pragma once
#include "gyre/hyperbolic/define_curved.h"

// Definitions of ops on sets of points [..., n, d].

namespace gyre {

/// Error{shape} if the operand `name` has less than 2 axes; `shape` is the expected shape.
inline void check_sets(const OpDef& op, const Tensor& x, const char* name, const char* shape) {
  if (x.rank() >= 2) return;
  refuse(Code::shape, op, {name, " has shape ", x.shape()}, shape, x.shape());
}

/// Checks the operands of a weighted mean of points x [..., n, d], weights [..., n], and calls f,
/// which may return any dtype.
template <Tensor (*f)(Inputs), Curvature allowed>
Tensors weighted_mean(const OpDef& op, const void*, Inputs in) {
  check_curvature(op, in[2], allowed);
  check_sets(op, in[0], "x", "[..., n, d]");
  const Shape &x = in[0].shape(), &w = in[1].shape();
  if (w.rank == 0 || w[w.rank - 1] != x[x.rank - 2]) {
    refuse(Code::shape, op, {"weights have shape ", w, ", must broadcast to [..., n] of x ", x},
           "[..., n]", w);
  }
  return {to(f(in), result_dtype(in.first(2)))};
}

template <Curvature allowed>
void weighted_samples(Samples& s) {
  auto points = [&](const Shape& shape) { return s.uniform(shape, -0.4, 0.4); };
  s.add({points({5, 3}), s.uniform({5}, 0.5, 2), s.uniform({}, 0.5, 1)});
  s.add({points({2, 3, 4}), s.uniform({2, 3}, 0.5, 2), s.uniform({2}, 0.5, 1)});
  s.add({points({2, 3, 2}), s.uniform({3}, 0.5, 2), s.uniform({}, 0.5, 1)});
  if (allowed == Curvature::any) {
    s.add({points({4, 3}), s.uniform({4}, 0.5, 2), s.uniform({}, -0.5, -0.2)});
  }
  s.refuse(Code::shape, {points({3}), s.uniform({3}), s.uniform({}, 0.5, 1)});
  s.refuse(Code::shape, {points({4, 3}), s.uniform({3}), s.uniform({}, 0.5, 1)});
}

inline constexpr Arg kSet[] = {{"x"}, {"weights"}, {"c"}};

template <Tensor (*f)(Inputs), Curvature allowed>
constexpr OpDef weighted_op(const char* name, const char* doc) {
  return {.name = name,
          .doc = doc,
          .args = kSet,
          .compose = weighted_mean<f, allowed>,
          .samples = weighted_samples<allowed>};
}

/// The public function of an op on sets.
#define GYRE_SET_FUNCTION(name)                                    \
  Tensor name(const Tensor& x, const Tensor& y, const Tensor& c) { \
    return apply_one(name##_def, {x, y, c});                       \
  }

}  // namespace gyre
