#pragma once
#include <initializer_list>
#include <utility>
#include <vector>

#include "gyre/tensor/tensor.h"

// Tensors and small f64 ops for the tests of this folder. Each op has one property of real ops that
// the engine must handle.

namespace gyre::testing {

/// A contiguous f64 tensor; without a shape 1-d (0-d for a single value).
Tensor of(std::initializer_list<double> values, Shape shape = {});
/// The same, requiring grad.
Tensor leaf(std::initializer_list<double> values, Shape shape = {});
/// Elements of an f64 tensor in row-major order.
std::vector<double> values(const Tensor& t);

/// Two outputs of one node, both saved for backward; the rule accepts a missing cotangent.
std::pair<Tensor, Tensor> sin_and_cos(const Tensor& x);
/// x; its backward rule increments *runs.
Tensor counted(const Tensor& x, int* runs);
/// x; its backward rule returns an empty cotangent.
Tensor blind(const Tensor& x);
/// x; its backward rule throws Error{numeric}.
Tensor failing(const Tensor& x);
/// x^3 with a first-order rule (which counts its runs) and a composition for higher orders.
Tensor cube_by_composition(const Tensor& x, int* first_order_runs);
/// x y with only a composition.
Tensor product_by_composition(const Tensor& x, const Tensor& y);
/// x^2 with a composition that needs its input, which is not saved.
Tensor keeps_nothing(const Tensor& x);
/// x^2 with only a first-order rule.
Tensor only_first(const Tensor& x);
/// x^2 whose first-order (or differentiable) backward rule is wrong by 1 %.
Tensor wrong_first(const Tensor& x);
Tensor wrong_second(const Tensor& x);

}  // namespace gyre::testing
