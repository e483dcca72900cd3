#include "gyre/nn/sequence/transformer.h"

#include <functional>

#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/elementwise/elementwise.h"

namespace gyre::nn {
namespace {

using LayerOptions = TransformerLayerOptions;

int64_t inner_of(const LayerOptions& o) { return o.inner > 0 ? o.inner : 4 * o.width; }

MultiHeadAttentionOptions attention_of(const LayerOptions& o, bool causal) {
  return {o.width, o.heads, o.bias, causal, o.dropout};
}

LayerNormOptions norm_of(const LayerOptions& o) { return {o.width, o.eps, o.bias}; }

// Residual connection x + branch(x), with the norm before the branch or after the sum.
Tensor with_branch(const Tensor& x, const LayerNorm& norm, bool first, auto branch) {
  return first ? x + branch(norm(x)) : norm(x + branch(x));
}

}  // namespace

TransformerEncoderLayer::TransformerEncoderLayer(const LayerOptions& o, Generator* generator)
    : self_attn(attention_of(o, o.causal), generator),
      linear1({o.width, inner_of(o), o.bias}, generator),
      linear2({inner_of(o), o.width, o.bias}, generator),
      norm1(norm_of(o)),
      norm2(norm_of(o)),
      norm_first_(o.norm_first),
      activation_(o.activation),
      dropout_({o.dropout}) {}

Tensor TransformerEncoderLayer::operator()(const Tensor& x, const Tensor& mask) const {
  Tensor y = with_branch(x, norm1, norm_first_,
                         [&](const Tensor& in) { return dropout_(self_attn(in, {}, {}, mask)); });
  return with_branch(y, norm2, norm_first_, [&](const Tensor& in) {
    return dropout_(linear2(dropout_(activate(linear1(in), activation_))));
  });
}

Tensors TransformerEncoderLayer::forward(Inputs inputs) const {
  LayerInputs in(inputs, "TransformerEncoderLayer", 1, 2);
  return {(*this)(in[0], in[1])};
}

void TransformerEncoderLayer::visit(Visitor& v) {
  v.module("self_attn", self_attn);
  v.module("linear1", linear1);
  v.module("linear2", linear2);
  v.module("norm1", norm1);
  v.module("norm2", norm2);
  v.module("dropout", dropout_);
}

TransformerDecoderLayer::TransformerDecoderLayer(const LayerOptions& o, Generator* generator)
    : self_attn(attention_of(o, o.causal), generator),
      multihead_attn(attention_of(o, false), generator),
      linear1({o.width, inner_of(o), o.bias}, generator),
      linear2({inner_of(o), o.width, o.bias}, generator),
      norm1(norm_of(o)),
      norm2(norm_of(o)),
      norm3(norm_of(o)),
      norm_first_(o.norm_first),
      activation_(o.activation),
      dropout_({o.dropout}) {}

Tensor TransformerDecoderLayer::operator()(const Tensor& x, const Tensor& memory,
                                           const Tensor& mask, const Tensor& memory_mask) const {
  Tensor y = with_branch(x, norm1, norm_first_,
                         [&](const Tensor& in) { return dropout_(self_attn(in, {}, {}, mask)); });
  y = with_branch(y, norm2, norm_first_, [&](const Tensor& in) {
    return dropout_(multihead_attn(in, memory, {}, memory_mask));
  });
  return with_branch(y, norm3, norm_first_, [&](const Tensor& in) {
    return dropout_(linear2(dropout_(activate(linear1(in), activation_))));
  });
}

Tensors TransformerDecoderLayer::forward(Inputs inputs) const {
  LayerInputs in(inputs, "TransformerDecoderLayer", 2, 4);
  return {(*this)(in[0], in[1], in[2], in[3])};
}

void TransformerDecoderLayer::visit(Visitor& v) {
  v.module("self_attn", self_attn);
  v.module("multihead_attn", multihead_attn);
  v.module("linear1", linear1);
  v.module("linear2", linear2);
  v.module("norm1", norm1);
  v.module("norm2", norm2);
  v.module("norm3", norm3);
  v.module("dropout", dropout_);
}

template <class Layer>
TransformerStack<Layer>::TransformerStack(const TransformerOptions& o, Generator* generator) {
  check_record("Transformer", o);
  for (int64_t i = 0; i < o.layers; ++i) layers.emplace_back(o.layer, generator);
  if (o.norm) norm.emplace_back(norm_of(o.layer));
}

template <>
Tensors TransformerEncoder::forward(Inputs inputs) const {
  LayerInputs in(inputs, "TransformerEncoder", 1, 2);
  return {(*this)(in[0], in[1])};
}

template <>
Tensors TransformerDecoder::forward(Inputs inputs) const {
  LayerInputs in(inputs, "TransformerDecoder", 2, 4);
  return {(*this)(in[0], in[1], in[2], in[3])};
}

template <class Layer>
void TransformerStack<Layer>::visit(Visitor& v) {
  for (size_t i = 0; i < layers.size(); ++i) v.module("layers." + std::to_string(i), layers[i]);
  if (!norm.empty()) v.module("norm", norm[0]);
  v.stack(stack_);
}

template class TransformerStack<TransformerEncoderLayer>;
template class TransformerStack<TransformerDecoderLayer>;

namespace {

constexpr Arg kEncoderIn[] = {{"x"}, {.name = "mask", .optional = true, .differentiable = false}};
constexpr Arg kDecoderIn[] = {{"x"},
                              {"memory"},
                              {.name = "mask", .optional = true, .differentiable = false},
                              {.name = "memory_mask", .optional = true, .differentiable = false}};

// `options` makes the options of the layer or stack from those of a layer.
void transformer_samples(LayerSamples& s, bool decoder, auto options) {
  using O = LayerOptions;
  Samples draw;
  auto inputs = [&](int64_t width) {
    Tensors in{draw.uniform({2, 3, width})};
    if (decoder) in.push_back(draw.uniform({2, 2, width}));
    return in;
  };
  s.add(
      options(O{.width = 4, .heads = 2, .inner = 3, .dropout = 0, .activation = Activation::gelu}),
      inputs(4));
  s.add(options(O{.width = 2, .dropout = 0, .activation = Activation::silu, .norm_first = true}),
        inputs(2));
  s.add(options(O{.width = 4,
                  .heads = 4,
                  .inner = 5,
                  .dropout = 0,
                  .activation = Activation::gelu_tanh,
                  .causal = true,
                  .bias = false}),
        inputs(4));
  s.refuse(Code::value, options(O{}));
  s.refuse(Code::value, options(O{.width = 4, .heads = 3}));
  s.refuse(Code::value, options(O{.width = 4, .dropout = 2}));
}

void stack_samples(LayerSamples& s, bool decoder) {
  transformer_samples(s, decoder,
                      [](const LayerOptions& o) { return TransformerOptions{.layer = o}; });
  s.refuse(Code::value, TransformerOptions{.layers = 0, .layer = {.width = 4}});
  Samples draw;
  Tensors in{draw.uniform({1, 2, 2})};
  if (decoder) in.push_back(draw.uniform({1, 3, 2}));
  s.add(TransformerOptions{.layers = 2,
                           .layer = {.width = 2, .dropout = 0, .activation = Activation::gelu},
                           .norm = true},
        in);
}

template <class L, class Options>
constexpr LayerDef define(const char* name, const char* doc, bool decoder,
                          void (*transformer_samples)(LayerSamples&)) {
  const auto inputs = decoder ? ArgList(kDecoderIn) : ArgList(kEncoderIn);
  return define_layer<L, Options>(name, doc, transformer_samples, inputs);
}

}  // namespace

constinit const LayerDef transformer_encoder_layer_layer =
    define<TransformerEncoderLayer, LayerOptions>(
        "TransformerEncoderLayer",
        "self-attention and feed-forward network with residual connections", false,
        [](LayerSamples& s) { transformer_samples(s, false, std::identity()); });
constinit const LayerDef transformer_decoder_layer_layer =
    define<TransformerDecoderLayer, LayerOptions>(
        "TransformerDecoderLayer",
        "self-attention, cross-attention to memory and feed-forward network", true,
        [](LayerSamples& s) { transformer_samples(s, true, std::identity()); });
constinit const LayerDef transformer_encoder_stack_layer =
    define<TransformerEncoder, TransformerOptions>(
        "TransformerEncoder", "stack of transformer encoder layers", false,
        [](LayerSamples& s) { stack_samples(s, false); });
constinit const LayerDef transformer_decoder_stack_layer =
    define<TransformerDecoder, TransformerOptions>("TransformerDecoder",
                                                   "stack of transformer decoder layers", true,
                                                   [](LayerSamples& s) { stack_samples(s, true); });

}  // namespace gyre::nn
