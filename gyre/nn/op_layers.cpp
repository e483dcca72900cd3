#include "gyre/nn/activation_layers.h"

#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/conv/pool.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/norm/norm.h"

namespace gyre {

#define LAYER(name)
#define OP_LAYER(name, text, op, ...) extern const OpDef op##_def;
#include "gyre/nn/layers.def"
#undef OP_LAYER

}  // namespace gyre

namespace gyre::nn {

Tensor LeakyRelu::operator()(const Tensor& x) const { return leaky_relu(x, slope_); }
Tensor Elu::operator()(const Tensor& x) const { return elu(x, alpha_); }

#define OP_LAYER(name, text, op, ...)     \
  constinit const LayerDef name##_layer = \
      define_op_layer<op##_def __VA_OPT__(, ) __VA_ARGS__>(text);
#include "gyre/nn/layers.def"
#undef OP_LAYER
#undef LAYER

constinit const LayerDef leaky_relu_layer = define_layer<LeakyRelu, LeakyReluOptions>(
    "LeakyReLU", "leaky ReLU: x where x > 0, otherwise slope x", [](LayerSamples& s) {
      Samples draw;
      s.add(LeakyReluOptions{}, {draw.uniform({2, 3}, 0.1, 1)});
      s.add(LeakyReluOptions{.slope = 0.3}, {draw.uniform({4}, -1, -0.1)});
    });
constinit const LayerDef elu_layer = define_layer<Elu, EluOptions>(
    "ELU", "exponential linear unit: x where x > 0, otherwise alpha (e^x - 1)",
    [](LayerSamples& s) {
      Samples draw;
      s.add(EluOptions{}, {draw.uniform({2, 3}, 0.1, 1)});
      s.add(EluOptions{.alpha = 0.3}, {draw.uniform({4}, -1, -0.1)});
    });

}  // namespace gyre::nn
