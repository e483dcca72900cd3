#include "gyre/nn/value_and_grad.h"

#include "gyre/autograd/backward.h"

namespace gyre::nn {

std::vector<NamedTensor> gradients_of(const Tensor& loss, std::vector<NamedTensor> named) {
  std::erase_if(named, [](const NamedTensor& t) { return !t.tensor.requires_grad(); });
  Tensors parameters;
  for (const NamedTensor& t : named) parameters.push_back(t.tensor);
  const Tensors gradients = grad({&loss, 1}, parameters, {}, {.allow_unused = true});
  for (size_t i = 0; i < named.size(); ++i) named[i].tensor = gradients[i];
  std::erase_if(named, [](const NamedTensor& t) { return !t.tensor.defined(); });
  return named;
}

}  // namespace gyre::nn
