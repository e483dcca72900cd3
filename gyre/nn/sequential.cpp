#include "gyre/nn/sequential.h"

#include "gyre/base/error.h"

namespace gyre::nn {

void Sequential::add(std::shared_ptr<Module> layer) {
  if (!layer) throw Error(Code::value, "Sequential", "expected a layer, got null");
  layers_.push_back(std::move(layer));
}

const std::shared_ptr<Module>& Sequential::operator[](size_t i) const {
  if (i >= layers_.size()) {
    throw Error(Code::index, "Sequential",
                {"index ", i, " is out of range, number of layers: ", layers_.size()},
                {"< ", layers_.size()}, i);
  }
  return layers_[i];
}

Tensor Sequential::operator()(const Tensor& x) const {
  Tensor y = x;
  for (const auto& layer : layers_) y = layer->forward({&y, 1})[0];
  return y;
}

void Sequential::visit(Visitor& v) {
  for (size_t i = 0; i < layers_.size(); ++i) v.module(std::to_string(i), *layers_[i]);
}

}  // namespace gyre::nn
