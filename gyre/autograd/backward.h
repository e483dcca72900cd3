#pragma once
#include "gyre/tensor/tensor.h"

// Reverse-mode automatic differentiation over the recorded graph (op/node.h). A pass frees saved
// tensors as it goes, unless the graph is retained. Threads may run passes concurrently: a pass
// that meets nodes of another thread's running pass waits for it; passes over different graphs do
// not wait, and accumulation into a shared leaf is safe. A pass nested in another (in a hook or
// backward rule) does not wait: Error{value} if it meets nodes that the outer pass has yet to
// visit.

namespace gyre {

struct BackwardOptions {
  /// record the pass itself, so that gradients are differentiable; implies retain_graph
  bool create_graph = false;
  /// keep the graph for another pass
  bool retain_graph = false;
};

/// Adds the gradient of sum_i <outputs[i], cotangents[i]> to `grad` of every leaf that requires
/// grad. An empty or missing cotangent is 1 and needs an output of one element. With create_graph,
/// the gradients of leaves hold the graph: free it with zero_grad().
/// Errors: value (no output requires grad, a cotangent is missing, the graph was freed, a saved
/// tensor was modified in place), shape (of a cotangent), dtype (an output is not floating).
void backward(Inputs outputs, Inputs cotangents = {}, BackwardOptions options = {});

struct GradOptions {
  bool create_graph = false;
  bool retain_graph = false;
  /// an input that no output depends on gets an empty gradient instead of Error{value}
  bool allow_unused = false;
};

/// Gradients of sum_i <outputs[i], cotangents[i]> with respect to `inputs` (leaves or
/// intermediates); `grad` of leaves is unchanged. Zeros where the derivative is identically zero.
/// Results may share memory. Errors: as backward(), and value if no output depends on an input.
Tensors grad(Inputs outputs, Inputs inputs, Inputs cotangents = {}, GradOptions options = {});
/// The gradient of a scalar output.
Tensor grad(const Tensor& output, const Tensor& input, GradOptions options = {});

}  // namespace gyre
