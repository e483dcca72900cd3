#include "gyre/autograd/backward.h"

#include "gyre/autograd/accumulate.h"
#include "gyre/autograd/backward_pass.h"
#include "gyre/base/error.h"
#include "gyre/op/node.h"

namespace gyre {
namespace {

// The cotangent of one output, in its dtype.
Tensor seed_of(const char* op, const Tensor& output, const Tensor& cotangent) {
  if (!cotangent.defined()) {
    if (output.numel() != 1) {
      throw Error(Code::value, op,
                  {"a gradient can be created implicitly only for an output of one element, got ",
                   output.shape(), "; pass a gradient of that shape"},
                  "a scalar output or a gradient", output.shape());
    }
    return filled(output.meta(), 1);
  }
  if (!(cotangent.shape() == output.shape())) {
    throw mismatch(Code::shape, op, {"expected a cotangent of shape ", output.shape()},
                   output.shape(), cotangent.shape());
  }
  if (!(cotangent.device() == output.device())) {
    throw Error(Code::device, op, "output and cotangent are on different devices; move one of them",
                output.device(), cotangent.device());
  }
  if (!is_floating(cotangent.dtype())) {
    throw mismatch(Code::dtype, op, "expected a floating cotangent", "a floating dtype",
                   cotangent.dtype());
  }
  return conform(cotangent, output.meta());
}

// Tracked outputs and their cotangents.
struct Roots {
  Tensors outputs, seeds;
};

Roots roots_of(const char* op, Inputs outputs, Inputs cotangents) {
  if (!cotangents.empty() && cotangents.size() != outputs.size()) {
    throw Error(Code::value, op,
                {"expected one cotangent per output, got ", cotangents.size(), " for ",
                 outputs.size(), " outputs"});
  }
  Roots roots;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& output = outputs[i];
    if (!output.defined()) throw Error(Code::value, op, "an output is an empty Tensor");
    if (!is_floating(output.dtype())) {
      throw mismatch(Code::dtype, op, "only floating outputs have gradients", "a floating dtype",
                     output.dtype());
    }
    if (!output.tracked()) continue;
    check_history(output, op);
    roots.outputs.push_back(output);
    roots.seeds.push_back(seed_of(op, output, cotangents.empty() ? Tensor() : cotangents[i]));
  }
  if (roots.outputs.empty()) {
    throw Error(Code::value, op,
                "no output depends on a tensor that requires grad, or it was computed under "
                "no_grad()");
  }
  return roots;
}

}  // namespace

void backward(Inputs outputs, Inputs cotangents, BackwardOptions options) {
  GradMode recording(options.create_graph);
  Roots roots = roots_of("backward", outputs, cotangents);
  pass_into_leaves(roots.outputs, roots.seeds, options.retain_graph || options.create_graph);
}

Tensors grad(Inputs outputs, Inputs inputs, Inputs cotangents, GradOptions options) {
  GradMode recording(options.create_graph);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].defined())
      throw Error(Code::value, "grad", {"input ", i, " is an empty Tensor"});
    if (!inputs[i].tracked() && !options.allow_unused) {
      throw Error(Code::value, "grad", {"input ", i, " does not require grad"});
    }
  }
  Roots roots = roots_of("grad", outputs, cotangents);
  return pass_towards(inputs, roots.outputs, roots.seeds,
                      options.retain_graph || options.create_graph, options.allow_unused);
}

Tensor grad(const Tensor& output, const Tensor& input, GradOptions options) {
  Tensors g = grad(Inputs(&output, 1), Inputs(&input, 1), {}, options);
  return std::move(g[0]);
}

void Tensor::backward(bool retain_graph) const {
  gyre::backward(Inputs(this, 1), {}, {.retain_graph = retain_graph});
}

}  // namespace gyre
