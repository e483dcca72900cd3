#pragma once
#include <concepts>
#include <utility>

#include "gyre/base/function_ref.h"
#include "gyre/tensor/tensor.h"

// Functions of functions: derivatives of a callable f at a point, as JAX and torch.func have them.
// f is called once, with tensors of the values of x that only this call tracks, so neither x nor
// its grad is touched, whether x is a leaf, a result or neither. Derivatives nest to any depth; a
// result has a history where it depends on what the caller tracks (x, or tensors that f captures)
// and the caller records. f must be pure. Where f does not depend on an x the derivative is zero.
//
// f is a callable Tensor(const Tensor&) at one x, or Tensors(Inputs) at several.
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

/// f(x) and its gradient. Error{value} when f does not give one tensor of one element.
ValueAndGrads value_and_grad(TensorsFunction f, Inputs x);
/// The outputs of f, and the gradients of sum_i <f(x)[i], cotangents[i]>. Error{shape, value} when
/// the cotangents do not fit.
OutputsAndGrads vjp(TensorsFunction f, Inputs x, Inputs cotangents);
/// The outputs of f, and the derivatives of them along `tangents`: the Jacobian times the tangents.
/// Exact: the gradient of a vjp, which is linear, by its cotangents. Error{shape, dtype, value}
/// when the tangents do not fit.
OutputsAndTangents jvp(TensorsFunction f, Inputs x, Inputs tangents);
/// Derivatives of the one output y of f: entry i is [y..., x[i]...]. Costs a backward pass for each
/// element of y. Error{value} when f has not one output.
Tensors jacobian(TensorsFunction f, Inputs x);
/// The Hessian of a scalar f times v. Error{shape, value} when v does not fit.
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

/// The gradient of a scalar f. Error{value} when f does not give one tensor of one element.
template <transforms::OfTensors F>
Tensors grad(const F& f, Inputs x) {
  return value_and_grad(TensorsFunction(f), x).grads;
}
template <transforms::OfTensor F>
Tensor grad(const F& f, const Tensor& x) {
  return std::move(value_and_grad(transforms::widened(f), transforms::one(x)).grads[0]);
}

/// The same functions of one tensor.
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

/// Second derivatives of a scalar f of one tensor, [x..., x...].
template <transforms::OfTensor F>
Tensor hessian(const F& f, const Tensor& x) {
  return transforms::hessian(transforms::widened(f), x);
}
/// The diagonal of the Hessian, in the shape of x. Computes its rows one after the other and keeps
/// an element of each.
template <transforms::OfTensor F>
Tensor hessian_diag(const F& f, const Tensor& x) {
  return transforms::hessian_diag(transforms::widened(f), x);
}
/// f'' at each element, for an f whose result at an element depends on x at this element alone: the
/// gradient of the sum of the gradient of the sum of f(x). For any other f this is the Hessian of
/// that sum times a vector of ones, which is not its diagonal.
template <transforms::OfTensor F>
Tensor grad2(const F& f, const Tensor& x) {
  return transforms::grad2(transforms::widened(f), x);
}

}  // namespace gyre
