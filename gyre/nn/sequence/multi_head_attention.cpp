#include "gyre/nn/sequence/multi_head_attention.h"

#include "gyre/nn/init.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/attention/attention.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {
namespace {

MultiHeadAttentionOptions checked(const MultiHeadAttentionOptions& o) {
  check_record("MultiHeadAttention", o);
  if (o.width % o.heads != 0) {
    refuse_option("MultiHeadAttention", "heads", o.heads, {"a divisor of width, ", o.width});
  }
  return o;
}

constexpr Arg kIn[] = {{"query"},
                       {.name = "key", .optional = true},
                       {.name = "value", .optional = true},
                       {.name = "mask", .optional = true, .differentiable = false}};

void attention_samples(LayerSamples& s) {
  using O = MultiHeadAttentionOptions;
  Samples draw;
  s.add(O{.width = 4, .heads = 2}, {draw.uniform({2, 3, 4})});
  s.add(O{.width = 3, .heads = 1, .bias = false},
        {draw.uniform({2, 2, 3}), draw.uniform({2, 4, 3}), draw.uniform({2, 4, 3})});
  s.add(O{.width = 6, .heads = 3, .causal = true}, {draw.uniform({1, 4, 6})});
  s.add(O{.width = 2, .heads = 1},
        {draw.uniform({1, 2, 2}), draw.uniform({1, 3, 2}), {}, draw.uniform({2, 3})});
  s.refuse(Code::value, O{});
  s.refuse(Code::value, O{.width = 4, .heads = 3});
  s.refuse(Code::value, O{.width = 4, .heads = 0});
  s.refuse(Code::value, O{.width = 4, .heads = 2, .dropout = -1});
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(const MultiHeadAttentionOptions& o, Generator* generator)
    : out_proj({checked(o).width, o.width, o.bias}, generator), options_(o) {
  in_proj_weight = xavier({3 * o.width, o.width}, 1, generator);
  if (!o.bias) return;
  in_proj_bias = zeros({3 * o.width});
  out_proj.bias = zeros({o.width});
}

Tensor MultiHeadAttention::heads_of(const Tensor& x) const {
  Tensor apart =
      reshape(x, {x.size(0), x.size(1), options_.heads, options_.width / options_.heads});
  return transpose(apart, 1, 2);
}

Tensor MultiHeadAttention::operator()(const Tensor& query, const Tensor& key, const Tensor& value,
                                      const Tensor& mask) const {
  if (query.rank() != 3) {
    throw mismatch(Code::shape, "MultiHeadAttention", "expected query [batch, tokens, width]",
                   "[batch, tokens, width]", query.shape());
  }
  Tensors parts;
  if (!key.defined() && !value.defined()) {
    parts = chunk(linear(query, in_proj_weight, in_proj_bias), 3, 2);
  } else {
    const Tensor& keys = key.defined() ? key : query;
    const Tensor* from[] = {&query, &keys, value.defined() ? &value : &keys};
    Tensors weights = chunk(in_proj_weight, 3, 0), biases(3);
    if (in_proj_bias.defined()) biases = chunk(in_proj_bias, 3, 0);
    for (size_t i = 0; i < 3; ++i) parts.push_back(linear(*from[i], weights[i], biases[i]));
  }
  AttentionAttrs attrs{.causal = options_.causal, .dropout = training() ? options_.dropout : 0};
  Tensor seen = scaled_dot_product_attention(heads_of(parts[0]), heads_of(parts[1]),
                                             heads_of(parts[2]), mask, Tensor(), attrs);
  return out_proj(reshape(transpose(seen, 1, 2), query.shape()));
}

Tensors MultiHeadAttention::forward(Inputs inputs) const {
  LayerInputs in(inputs, "MultiHeadAttention", 1, 4);
  return {(*this)(in[0], in[1], in[2], in[3])};
}

void MultiHeadAttention::visit(Visitor& v) {
  v.parameter("in_proj_weight", in_proj_weight);
  v.parameter("in_proj_bias", in_proj_bias);
  v.module("out_proj", out_proj);
}

constinit const LayerDef multi_head_attention_layer =
    define_layer<MultiHeadAttention, MultiHeadAttentionOptions>(
        "MultiHeadAttention",
        "scaled dot-product attention with several heads and learned projections",
        attention_samples, kIn);

}  // namespace gyre::nn
