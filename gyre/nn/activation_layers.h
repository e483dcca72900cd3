#pragma once
#include "gyre/nn/layer.h"

namespace gyre {

struct LeakyReluOptions {
  double slope = 0.01;
};
GYRE_FIELDS(LeakyReluOptions, GYRE_FIELD(slope, "factor below 0"));

struct EluOptions {
  double alpha = 1;
};
GYRE_FIELDS(EluOptions, GYRE_FIELD(alpha, "minus the limit at -infinity"));

namespace nn {

// Activations with a number; those without are layers of the op alone (op_layers.cpp).

/// x above 0, slope x below.
class LeakyRelu final : public Layer {
 public:
  explicit LeakyRelu(const LeakyReluOptions& options = {}) : slope_(options.slope) {}
  Tensor operator()(const Tensor& x) const override;

 private:
  double slope_;
};

/// x above 0, alpha (e^x - 1) below.
class Elu final : public Layer {
 public:
  explicit Elu(const EluOptions& options = {}) : alpha_(options.alpha) {}
  Tensor operator()(const Tensor& x) const override;

 private:
  double alpha_;
};

}  // namespace nn
}  // namespace gyre
