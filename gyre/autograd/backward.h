#pragma once
#include "gyre/tensor/tensor.h"

// Reverse-mode differentiation over the tape that ops record (op/node.h). A pass frees what the
// graph kept as it goes, unless told otherwise. Several threads may run passes at once: one that
// meets nodes which another thread's pass walks over waits until that is over, passes over
// different graphs do not wait for each other, and sums in a leaf lose nothing. A pass that begins
// inside of another (in a hook, or a reverse rule) does not wait: Error{value} where it meets nodes
// that are still to be walked over.

namespace gyre {

struct BackwardOptions {
  /// record the pass itself, so that gradients can be differentiated again; keeps the graph
  bool create_graph = false;
  /// keep the graph for another pass
  bool retain_graph = false;
};

/// Adds the gradient of sum_i <outputs[i], cotangents[i]> to `grad` of every leaf that requires
/// one. An empty cotangent, or none at all, stands for 1 and needs an output of one element. With
/// create_graph leaves hold gradients that hold the graph: drop them with zero_grad().
/// Errors: value (no output is tracked, a cotangent is missing, the graph was freed, a saved tensor
/// was overwritten), shape (a cotangent does not fit), dtype (an output is not floating).
void backward(Inputs outputs, Inputs cotangents = {}, BackwardOptions options = {});

struct GradOptions {
  bool create_graph = false;
  bool retain_graph = false;
  /// an input that no output depends on gets an empty gradient instead of Error{value}
  bool allow_unused = false;
};

/// The gradients of sum_i <outputs[i], cotangents[i]> by `inputs`, which may be leaves or results;
/// no `grad` is touched. Zeros where the dependence has no slope. Results may share memory.
/// Errors: as backward(), and value when an output does not depend on any input.
Tensors grad(Inputs outputs, Inputs inputs, Inputs cotangents = {}, GradOptions options = {});
/// The gradient of a scalar.
Tensor grad(const Tensor& output, const Tensor& input, GradOptions options = {});

}  // namespace gyre
