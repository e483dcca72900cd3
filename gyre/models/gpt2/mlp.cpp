#include "gyre/models/gpt2/mlp.h"

#include "gyre/models/layers.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"

namespace gyre::nn {
namespace {

int64_t inner_of(const MlpOptions& o) { return o.inner ? o.inner : 4 * o.width; }

}  // namespace

Mlp::Mlp(const MlpOptions& o, Generator* generator)
    : c_fc({o.width, inner_of(o), o.bias}, generator),
      c_proj({inner_of(o), o.width, o.bias}, generator),
      activation_(o.activation),
      dropout_({o.dropout}) {}

Tensor Mlp::operator()(const Tensor& x) const {
  return dropout_(c_proj(activate(c_fc(x), activation_)));
}

void Mlp::visit(Visitor& v) {
  v.module("c_fc", c_fc);
  v.module("c_proj", c_proj);
  v.module("dropout", dropout_);
}

constinit const LayerDef mlp_layer = define_layer<Mlp, MlpOptions>(
    "MLP", "multilayer perceptron: two linear layers with an activation between",
    [](LayerSamples& s) {
      Samples draw;
      s.add(MlpOptions{.width = 3}, {draw.uniform({2, 3})});
      s.add(MlpOptions{.width = 2, .inner = 3, .bias = false, .activation = Activation::silu},
            {draw.uniform({2, 2, 2})});
      s.refuse(Code::value, MlpOptions{});
      s.refuse(Code::value, MlpOptions{.width = 2, .dropout = 2});
    });

}  // namespace gyre::nn
