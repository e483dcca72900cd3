#pragma once
#include "gyre/logic/analysis/names.h"

namespace gyre::logic {

/// Whether an expression has numbers and constants only.
bool is_numbers(const Expr& expr, const Names& names);
/// A nested list of numbers as a tensor of a shape; a number fills it. E0203.
Tensor array_value(const Expr& expr, const Shape& shape, const Names& names, DType dtype);
/// The value of an initialiser of numbers or a function. Random ones depend on the seed of the
/// program and the tensor's name, or on `seed=` alone. E0102, E0203.
Tensor initial_value(const Initializer& init, const std::string& name, const Shape& shape,
                     const Names& names, DType dtype, int64_t seed);

}  // namespace gyre::logic
