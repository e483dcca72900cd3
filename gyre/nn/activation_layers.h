#pragma once
#include "gyre/nn/layer.h"

namespace gyre {

struct LeakyReluOptions {
  double slope = 0.01;
};
GYRE_FIELDS(LeakyReluOptions, GYRE_FIELD(slope, "negative slope: factor of negative inputs",
                                         .alias = "negative_slope"));

struct EluOptions {
  double alpha = 1;
};
GYRE_FIELDS(EluOptions,
            GYRE_FIELD(alpha, "alpha: the function tends to -alpha for x to -infinity"));

namespace nn {

// Activations with a parameter; the others are plain op layers (op_layers.cpp).

/// x where x > 0, otherwise slope x.
class LeakyRelu final : public Layer {
 public:
  explicit LeakyRelu(const LeakyReluOptions& options = {}) : slope_(options.slope) {}
  Tensor operator()(const Tensor& x) const override;

 private:
  double slope_;
};

/// x where x > 0, otherwise alpha (e^x - 1).
class Elu final : public Layer {
 public:
  explicit Elu(const EluOptions& options = {}) : alpha_(options.alpha) {}
  Tensor operator()(const Tensor& x) const override;

 private:
  double alpha_;
};

}  // namespace nn
}  // namespace gyre
