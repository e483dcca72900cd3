#pragma once
#include <vector>

#include "gyre/nn/module.h"

namespace gyre::nn {

/// The gradients of a loss of one element by the parameters that require grad, under their names; a
/// parameter that it does not depend on has none. `grad` of the parameters is unchanged.
/// Error{value, dtype} as grad() in autograd/backward.h.
std::vector<NamedTensor> gradients_of(const Tensor& loss, std::vector<NamedTensor> parameters);

struct LossAndGradients {
  Tensor loss;
  std::vector<NamedTensor> gradients;  ///< by parameter name
};

/// loss(batch...) and its gradients_of() the module. Optimizer::apply_gradients() steps by them:
///   auto [loss, gradients] = nn::value_and_grad(model, mean_loss, x, y);
///   optimizer.apply_gradients(gradients, model.named_parameters());
template <class F, class... Batch>
LossAndGradients value_and_grad(Module& module, const F& loss, const Batch&... batch) {
  LossAndGradients found{loss(batch...), {}};
  found.gradients = gradients_of(found.loss, module.named_parameters());
  return found;
}

}  // namespace gyre::nn
