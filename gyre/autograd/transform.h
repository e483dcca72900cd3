#pragma once
#include <concepts>
#include <utility>

#include "gyre/base/function_ref.h"
#include "gyre/tensor/tensor.h"

// Function transforms: derivatives of a callable f at a point, as in JAX and torch.func. f must be
// a pure function; it is called once, on new tensors with the values of x, so x.grad does not
// change. Transforms can be nested to any depth. Where gradients are recorded, results have a
// history if x or tensors that f captures require grad. With respect to an x that f does not use,
// the derivative is zero.
//
// f is a callable Tensor(const Tensor&) of one x, or Tensors(Inputs) of several.
// Errors: those of f and of backward() (dtype: an x or an output is not floating).

namespace gyre {

using TensorsFunction = FunctionRef<Tensors(Inputs)>;

struct ValueAndGrads {
  Tensor value;
  Tensors grads;
};
struct OutputsAndGrads {
  Tensors outputs, grads;
};
struct OutputsAndTangents {
  Tensors outputs, tangents;
};

/// f(x) and its gradient. Error{value} unless f returns one tensor of one element.
ValueAndGrads value_and_grad(TensorsFunction f, Inputs x);
/// Vector-Jacobian product: the outputs of f, and the gradients of sum_i <f(x)[i], cotangents[i]>.
/// Error{shape, value} for cotangents that do not match the outputs.
OutputsAndGrads vjp(TensorsFunction f, Inputs x, Inputs cotangents);
/// Jacobian-vector product: the outputs of f and their directional derivatives along `tangents`.
/// Exact: the gradient of a vjp, which is linear, with respect to its cotangents.
/// Error{shape, dtype, value} for tangents that do not match x.
OutputsAndTangents jvp(TensorsFunction f, Inputs x, Inputs tangents);
/// The Jacobian of the one output y of f: entry i is [y..., x[i]...]. One backward pass per element
/// of y. Error{value} unless f returns one tensor.
Tensors jacobian(TensorsFunction f, Inputs x);
/// Hessian-vector product of a scalar f. Error{shape, value} for v that does not match x.
Tensors hvp(TensorsFunction f, Inputs x, Inputs v);

namespace transforms {

template <class F>
concept OfTensor = requires(const F& f, const Tensor& x) {
  { f(x) } -> std::convertible_to<Tensor>;
};
template <class F>
concept OfTensors = requires(const F& f, Inputs x) {
  { f(x) } -> std::convertible_to<Tensors>;
};

/// f as a function of several tensors; borrows it.
template <OfTensor F>
auto widened(const F& f) {
  return [&f](Inputs in) -> Tensors { return {f(in[0])}; };
}
inline Inputs one(const Tensor& x) { return {&x, 1}; }

Tensor hessian(TensorsFunction f, const Tensor& x);
Tensor hessian_diag(TensorsFunction f, const Tensor& x);
Tensor grad2(TensorsFunction f, const Tensor& x);

}  // namespace transforms

/// The gradient of a scalar f. Error{value} unless f returns one tensor of one element.
template <transforms::OfTensors F>
Tensors grad(const F& f, Inputs x) {
  return value_and_grad(TensorsFunction(f), x).grads;
}
template <transforms::OfTensor F>
Tensor grad(const F& f, const Tensor& x) {
  return std::move(value_and_grad(transforms::widened(f), transforms::one(x)).grads[0]);
}

/// The same for functions of one tensor.
template <transforms::OfTensor F>
std::pair<Tensor, Tensor> value_and_grad(const F& f, const Tensor& x) {
  ValueAndGrads r = value_and_grad(transforms::widened(f), transforms::one(x));
  return {std::move(r.value), std::move(r.grads[0])};
}
template <transforms::OfTensor F>
std::pair<Tensor, Tensor> vjp(const F& f, const Tensor& x, const Tensor& cotangent) {
  OutputsAndGrads r = vjp(transforms::widened(f), transforms::one(x), transforms::one(cotangent));
  return {std::move(r.outputs[0]), std::move(r.grads[0])};
}
template <transforms::OfTensor F>
std::pair<Tensor, Tensor> jvp(const F& f, const Tensor& x, const Tensor& tangent) {
  OutputsAndTangents r = jvp(transforms::widened(f), transforms::one(x), transforms::one(tangent));
  return {std::move(r.outputs[0]), std::move(r.tangents[0])};
}
template <transforms::OfTensor F>
Tensor jacobian(const F& f, const Tensor& x) {
  return std::move(jacobian(transforms::widened(f), transforms::one(x))[0]);
}
template <transforms::OfTensor F>
Tensor hvp(const F& f, const Tensor& x, const Tensor& v) {
  return std::move(hvp(transforms::widened(f), transforms::one(x), transforms::one(v))[0]);
}

/// The Hessian of a scalar f of one tensor, [x..., x...].
template <transforms::OfTensor F>
Tensor hessian(const F& f, const Tensor& x) {
  return transforms::hessian(transforms::widened(f), x);
}
/// The diagonal of the Hessian, in the shape of x. Computes the Hessian row by row and keeps one
/// element of each row.
template <transforms::OfTensor F>
Tensor hessian_diag(const F& f, const Tensor& x) {
  return transforms::hessian_diag(transforms::widened(f), x);
}
/// Elementwise second derivative f'', for an elementwise f: the gradient of the sum of the gradient
/// of sum(f(x)). For any other f this is the Hessian of that sum times a vector of ones, not its
/// diagonal.
template <transforms::OfTensor F>
Tensor grad2(const F& f, const Tensor& x) {
  return transforms::grad2(transforms::widened(f), x);
}

}  // namespace gyre
