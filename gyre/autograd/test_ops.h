#pragma once
#include <initializer_list>
#include <utility>
#include <vector>

#include "gyre/tensor/tensor.h"

// Tensors and small f64 ops for the tests of this folder. Each op has one trait that ops of the
// table may have and that the engine must cope with.

namespace gyre::testing {

/// A contiguous f64 tensor; values in one axis (or 0-d if there is one) when no shape is given.
Tensor of(std::initializer_list<double> values, Shape shape = {});
/// The same, requiring a gradient.
Tensor leaf(std::initializer_list<double> values, Shape shape = {});
/// Elements of an f64 tensor in row-major order.
std::vector<double> values(const Tensor& t);

/// Two outputs in one node, and both are kept for backward; its rule copes with a missing
/// cotangent.
std::pair<Tensor, Tensor> sin_and_cos(const Tensor& x);
/// x, and *runs goes up whenever the reverse rule runs.
Tensor counted(const Tensor& x, int* runs);
/// x, whose reverse rule returns an empty cotangent.
Tensor blind(const Tensor& x);
/// x, whose reverse rule throws Error{numeric}.
Tensor failing(const Tensor& x);
/// x^3 with a first-order rule (which counts its runs) and a composition for higher orders.
Tensor cube_by_composition(const Tensor& x, int* first_order_runs);
/// x y with nothing but a composition.
Tensor product_by_composition(const Tensor& x, const Tensor& y);
/// x^2 with a composition that misses its input, which is not saved.
Tensor keeps_nothing(const Tensor& x);
/// x^2 with nothing but a first-order rule.
Tensor only_first(const Tensor& x);
/// x^2 with reverse rules of which the first-order one (or the other) is wrong by 1 %.
Tensor wrong_first(const Tensor& x);
Tensor wrong_second(const Tensor& x);

}  // namespace gyre::testing
