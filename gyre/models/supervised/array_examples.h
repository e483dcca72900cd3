#pragma once
#include <string>

#include "gyre/models/supervised/evaluation.h"

// Reads x and y of an .npz file as examples, for training and prediction.

namespace gyre {

/// Examples [N, ...], floating point. [N] becomes [N, 1]; u8 are pixels, scaled by 1/255; other
/// integers are converted. `name` is for messages. Errors: shape, for a scalar; value, naming the
/// first example with NaN or an infinity.
Tensor array_inputs(const Tensor& x, const std::string& name);

/// Targets: class labels, [N] i64, from integers [N] or [N, 1]; or values, [N] or [N, K] floating
/// point. Errors: shape; value, naming the first example with NaN or an infinity.
Tensor array_targets(const Tensor& y, const std::string& name);

/// The Target of array_targets(): classes by label (0 to the largest, or only those that occur if
/// some are negative or very large), or values. Error{value} for too many classes.
Target array_target(const Tensor& y);

/// Class indices of labels; values unchanged. Error{value} for a label that is not a class, and for
/// values if the target has classes.
Tensor class_numbers(const Target& target, const Tensor& y);

}  // namespace gyre
