#pragma once
#include "gyre/base/error.h"
#include "gyre/nn/module.h"

namespace gyre::nn {

/// Limit of an option for a number of stacked layers, whose objects are made before any weight is
/// read: a description of a few bytes must not take all memory.
inline constexpr int64_t kMostLayers = 10'000;

/// A module with one input tensor and one output tensor.
class Layer : public Module {
 public:
  virtual Tensor operator()(const Tensor& x) const = 0;
  /// Error{value} unless there is exactly one input.
  Tensors forward(Inputs inputs) const override;
  /// No tensors by default.
  void visit(Visitor&) override {}
};

/// Throws Error{value} for an invalid option of a layer.
[[noreturn]] void refuse_option(const char* layer, const char* option, const Message& value,
                                const Message& wanted);

/// inputs[i], or an empty Tensor for one that is absent. Error{value} naming `layer` for fewer than
/// `least` or more than `most` inputs.
class LayerInputs {
 public:
  LayerInputs(Inputs inputs, const char* layer, size_t least, size_t most);
  const Tensor& operator[](size_t i) const;

 private:
  Inputs inputs_;
};

}  // namespace gyre::nn
