#include "gyre/nn/layer.h"

#include "gyre/base/text/counted.h"

namespace gyre::nn {

void refuse_option(const char* layer, const char* option, const Message& value,
                   const Message& wanted) {
  throw Error(Code::value, layer, {option, " must be ", wanted, ", got ", value}, wanted, value);
}

Tensors Layer::forward(Inputs inputs) const {
  return {(*this)(LayerInputs(inputs, "layer", 1, 1)[0])};
}

LayerInputs::LayerInputs(Inputs inputs, const char* layer, size_t least, size_t most)
    : inputs_(inputs) {
  bool missing = inputs.size() < least;
  for (size_t i = 0; i < least && !missing; ++i) missing = !inputs[i].defined();
  if (!missing && inputs.size() <= most) return;
  auto wanted = std::to_string(least) + (least == most ? "" : " to " + std::to_string(most));
  throw mismatch(Code::value, layer, "expected " + wanted + " input tensors", wanted,
                 inputs.size());
}

const Tensor& LayerInputs::operator[](size_t i) const {
  static const Tensor kAbsent;
  return i < inputs_.size() ? inputs_[i] : kAbsent;
}

}  // namespace gyre::nn
