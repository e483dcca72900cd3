#pragma once
#include "gyre/nn/layer.h"
#include "gyre/op/attrs.h"

namespace gyre {
struct OpDef;
}

namespace gyre::nn {

/// A layer that applies an op with one operand: activations, pooling.
class OpLayer final : public Layer {
 public:
  explicit OpLayer(const OpDef& op, Attrs attrs = {}) : op_(&op), attrs_(std::move(attrs)) {}
  Tensor operator()(const Tensor& x) const override;

 private:
  const OpDef* op_;
  Attrs attrs_;
};

}  // namespace gyre::nn
