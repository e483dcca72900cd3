#include "gyre/models/gpt2/transformer_block.h"

#include "gyre/base/error.h"
#include "gyre/models/layers.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/node.h"
#include "gyre/op/samples.h"
#include "gyre/ops/attention/attention.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {
namespace {

const AttentionOptions& checked(const AttentionOptions& o) {
  if (o.heads < 1 || o.width < 1 || o.width % o.heads) {
    throw Error(
        Code::value, "attention",
        {"width must be divisible by heads, got width ", o.width, " for ", o.heads, " heads"},
        "width = k heads", o.width);
  }
  return o;
}

struct Heads {
  Tensor q, k, v;  // [batch, heads, tokens, width / heads]
};

// Split before heads are transposed, so that backward joins the parts in one copy.
Heads heads_of(const Tensor& qkv, int64_t heads) {
  int64_t batch = qkv.size(0), tokens = qkv.size(1), width = qkv.size(2) / (3 * heads);
  Tensors parts = split(reshape(qkv, {batch, tokens, 3 * heads, width}), {heads, heads, heads}, 2);
  for (Tensor& part : parts) part = transpose(part, 1, 2);
  return {parts[0], parts[1], parts[2]};
}

int64_t inner_of(const MlpOptions& o) { return o.inner ? o.inner : 4 * o.width; }

}  // namespace

CausalSelfAttention::CausalSelfAttention(const AttentionOptions& o, Generator* generator)
    : c_attn({checked(o).width, 3 * o.width, o.bias}, generator),
      c_proj({o.width, o.width, o.bias}, generator),
      heads_(o.heads),
      dropout_({o.dropout}) {}

Tensor CausalSelfAttention::merge(const Tensor& heads, const Tensor& x) const {
  return dropout_(c_proj(reshape(transpose(heads, 1, 2), x.shape())));
}

Tensor CausalSelfAttention::operator()(const Tensor& x) const {
  Heads h = heads_of(c_attn(x), heads_);
  return merge(scaled_dot_product_attention(h.q, h.k, h.v, {.causal = true}), x);
}

Tensor CausalSelfAttention::operator()(const Tensor& x, const KeyValueCache& cache) const {
  NoGrad scope;
  Heads h = heads_of(c_attn(x), heads_);
  cache.write_last(h.k, h.v);
  return merge(scaled_dot_product_attention(h.q, cache.keys, cache.values, Tensor(), cache.lengths,
                                            {.causal = true}),
               x);
}

void CausalSelfAttention::visit(Visitor& v) {
  v.module("c_attn", c_attn);
  v.module("c_proj", c_proj);
  v.module("dropout", dropout_);
}

constinit const LayerDef causal_self_attention_layer =
    define_layer<CausalSelfAttention, AttentionOptions>(
        "CausalSelfAttention", "causal multi-head self-attention, as in GPT-2",
        [](LayerSamples& s) {
          Samples draw;
          s.add(AttentionOptions{.width = 4, .heads = 2}, {draw.uniform({2, 3, 4})});
          s.add(AttentionOptions{.width = 3, .bias = false}, {draw.uniform({1, 2, 3})});
          s.refuse(Code::value, AttentionOptions{});
          s.refuse(Code::value, AttentionOptions{.width = 4, .heads = 3});
        });

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

TransformerBlock::TransformerBlock(const TransformerBlockOptions& o, Generator* generator)
    : ln_1({o.width, o.eps, o.bias}),
      attn({o.width, o.heads, o.bias, o.dropout}, generator),
      ln_2({o.width, o.eps, o.bias}),
      mlp({o.width, o.inner, o.bias, o.activation, o.dropout}, generator) {}

Tensor TransformerBlock::operator()(const Tensor& x) const {
  Tensor y = x + attn(ln_1(x));
  return y + mlp(ln_2(y));
}

Tensor TransformerBlock::operator()(const Tensor& x, const KeyValueCache& cache) const {
  Tensor y = x + attn(ln_1(x), cache);
  return y + mlp(ln_2(y));
}

void TransformerBlock::visit(Visitor& v) {
  v.module("ln_1", ln_1);
  v.module("attn", attn);
  v.module("ln_2", ln_2);
  v.module("mlp", mlp);
}

constinit const LayerDef transformer_block_layer = define_layer<TransformerBlock,
                                                                TransformerBlockOptions>(
    "TransformerBlock", "pre-norm transformer block of GPT-2: attention and MLP with residuals",
    [](LayerSamples& s) {
      Samples draw;
      s.add(TransformerBlockOptions{.width = 4, .heads = 2, .inner = 3}, {draw.uniform({2, 3, 4})});
      s.add(TransformerBlockOptions{.width = 2, .bias = false}, {draw.uniform({1, 2, 2})});
      s.refuse(Code::value, TransformerBlockOptions{});
      s.refuse(Code::value, TransformerBlockOptions{.width = 4, .heads = 3});
    });

}  // namespace gyre::nn
