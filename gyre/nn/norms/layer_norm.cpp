#include "gyre/nn/norms/layer_norm.h"

#include "gyre/nn/init.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/norm/norm.h"

namespace gyre::nn {

LayerNorm::LayerNorm(const LayerNormOptions& o) : eps_(o.eps) {
  check_record("LayerNorm", o);
  weight = ones({o.width});
  if (o.bias) bias = zeros({o.width});
}

Tensor LayerNorm::operator()(const Tensor& x) const {
  Tensor shift = bias.defined() ? bias : zeros_like(weight);
  return layer_norm(x, weight, shift, {.eps = eps_});
}

void LayerNorm::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
}

constinit const LayerDef layer_norm_layer = define_layer<LayerNorm, LayerNormOptions>(
    "LayerNorm", "layer normalisation over the last axis, then learned weight and bias",
    [](LayerSamples& s) {
      Samples draw;
      s.add(LayerNormOptions{.width = 5}, {draw.uniform({2, 3, 5})});
      s.add(LayerNormOptions{.width = 3, .eps = 0.1, .bias = false}, {draw.uniform({4, 3})});
      s.refuse(Code::value, LayerNormOptions{});
    });

}  // namespace gyre::nn
