#pragma once
#include "gyre/nn/module.h"

namespace gyre::nn {

/// A module that makes one tensor of one.
class Layer : public Module {
 public:
  virtual Tensor operator()(const Tensor& x) const = 0;
  /// Error{value} unless there is one input.
  Tensors forward(Inputs inputs) const override;
  /// A layer without tensors of its own shows none.
  void visit(Visitor&) override {}
};

/// inputs[i], or an empty Tensor for one that is absent. Error{value} of `layer` when there are
/// fewer than `least` or more than `most`.
class LayerInputs {
 public:
  LayerInputs(Inputs inputs, const char* layer, size_t least, size_t most);
  const Tensor& operator[](size_t i) const;

 private:
  Inputs inputs_;
};

}  // namespace gyre::nn
