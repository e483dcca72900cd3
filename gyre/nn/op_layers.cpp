#include "gyre/nn/op_layers.h"

#include "gyre/nn/layer_def.h"
#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/ops/conv/pool.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {

Tensor activate(const Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::gelu:
      return gelu(x);
    case Activation::relu:
      return relu(x);
    case Activation::silu:
      return silu(x);
    case Activation::relu_squared:
      return relu_squared(x);
    default:
      return gelu_tanh(x);
  }
}

Tensor OpLayer::operator()(const Tensor& x) const { return apply_one(*op_, {x}, attrs_); }
Tensor LeakyRelu::operator()(const Tensor& x) const { return leaky_relu(x, slope_); }
Tensor Elu::operator()(const Tensor& x) const { return elu(x, alpha_); }
Tensor Flatten::operator()(const Tensor& x) const {
  return flatten(x, options_.start, options_.end);
}

Dropout::Dropout(const DropoutOptions& o) : p_(o.p) { check_record("Dropout", o); }

Tensor Dropout::operator()(const Tensor& x) const {
  return p_ > 0 ? dropout(x, p_, training()) : x;
}

#define LAYER(name)
#define OP_LAYER(name, Class, op, ...)    \
  constinit const LayerDef name##_layer = \
      define_op_layer<op##_def __VA_OPT__(, ) __VA_ARGS__>(#Class);
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
constinit const LayerDef dropout_layer = define_layer<Dropout, DropoutOptions>(
    "Dropout", "zeroes elements with probability p in training, scales the rest by 1 / (1 - p)",
    [](LayerSamples& s) {
      Samples draw;
      s.add(DropoutOptions{.p = 0}, {draw.uniform({2, 3})});
      s.refuse(Code::value, DropoutOptions{.p = -0.1});
      s.refuse(Code::value, DropoutOptions{.p = 1.1});
    });
constinit const LayerDef flatten_layer = define_layer<Flatten, FlattenOptions>(
    "Flatten", "flattens a range of axes into one", [](LayerSamples& s) {
      Samples draw;
      s.add(FlattenOptions{}, {draw.uniform({2, 3, 2})});
      s.add(FlattenOptions{.start = 0, .end = 1}, {draw.uniform({2, 3, 2})});
    });

}  // namespace gyre::nn
