#pragma once
#include <string>

#include "gyre/models/supervised/evaluation.h"

// Arrays as examples: how x and y of an .npz file are read, to learn from and to predict.

namespace gyre {

/// Examples [N, ...], floating. [N] becomes [N, 1]; u8 are pixels, 255 is 1; other integers are
/// numbers. `name` is for messages. Errors: shape, for a single number; value, naming the first
/// example with NaN or an infinity.
Tensor array_inputs(const Tensor& x, const std::string& name);

/// What is learned of examples: labels, [N] i64, out of integers [N] or [N, 1], or values, [N] or
/// [N, K] floating. Errors: shape; value, naming the first example with NaN or an infinity.
Tensor array_targets(const Tensor& y, const std::string& name);

/// The target that array_targets() are: classes by label (0 to the largest, or only those that
/// there are, where some are negative or very large), or values. Error{value} for too many classes.
Target array_target(const Tensor& y);

/// The numbers of the classes of labels; values as they are. Error{value} naming a label that is no
/// class, and for values where there are classes.
Tensor class_numbers(const Target& target, const Tensor& y);

}  // namespace gyre
