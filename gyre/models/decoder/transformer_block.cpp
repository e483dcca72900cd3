#include "gyre/models/decoder/transformer_block.h"

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/models/decoder/rope_scaling.h"
#include "gyre/models/layers.h"
#include "gyre/nn/init.h"
#include "gyre/nn/layer_def.h"
#include "gyre/op/node.h"
#include "gyre/op/samples.h"
#include "gyre/ops/attention/rope.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {
namespace {

const DecoderOptions& checked(const DecoderOptions& o) {
  check_heads("CausalSelfAttention", o);
  return o;
}

std::vector<Linear> projections_of(const DecoderOptions& o, Generator* generator) {
  const int64_t size = o.size_of_head(), queries = o.heads * size, keys = o.key_heads() * size;
  const bool bias = o.attention_bias(false);
  std::vector<Linear> all;
  if (o.details.separate) {
    for (const int64_t rows : {queries, keys, keys})
      all.emplace_back(LinearOptions{o.width, rows, bias}, generator);
  } else {
    all.emplace_back(LinearOptions{o.width, queries + 2 * keys, bias}, generator);
  }
  return all;
}

}  // namespace

Norm::Norm(int64_t width, const DecoderOptions& o)
    : eps_(o.eps), offset_(o.norm == NormKind::rms && o.details.norm_offset) {
  if (o.norm == NormKind::rms) {
    RmsNorm& norm = norm_.emplace<RmsNorm>(RmsNormOptions{width, o.eps});
    if (offset_) norm.weight = constant({width}, 0);
  } else {
    norm_.emplace<LayerNorm>(LayerNormOptions{width, o.eps, o.bias});
  }
}

Tensor Norm::operator()(const Tensor& x) const {
  if (const auto* norm = std::get_if<LayerNorm>(&norm_)) return (*norm)(x);
  if (const auto* norm = std::get_if<RmsNorm>(&norm_)) {
    if (!offset_) return (*norm)(x);
    const DType wide = x.dtype() == DType::f64 ? DType::f64 : DType::f32;
    return gyre::to(rms_norm(gyre::to(x, wide), gyre::to(norm->weight, wide) + 1.0, {.eps = eps_}),
                    x.dtype());
  }
  return x;
}

Tensor Norm::weight() const {
  if (const auto* norm = std::get_if<LayerNorm>(&norm_)) return norm->weight;
  if (const auto* norm = std::get_if<RmsNorm>(&norm_)) return norm->weight;
  return {};
}

void Norm::visit(Visitor& v) {
  if (auto* norm = std::get_if<LayerNorm>(&norm_)) norm->visit(v);
  if (auto* norm = std::get_if<RmsNorm>(&norm_)) norm->visit(v);
}

CausalSelfAttention::CausalSelfAttention(const DecoderOptions& o, Generator* generator)
    : c_attn(projections_of(checked(o), generator)),
      c_proj({o.heads * o.size_of_head(), o.width, o.attention_bias(true)}, generator),
      options_(o),
      frequencies_(rope_frequencies(o)),
      dropout_({o.dropout}) {
  if (o.details.rope_scaling == RopeScaling::longrope)
    long_frequencies_ = rope_frequencies(o, INT64_MAX);
  if (o.head_norm != HeadNorm::weighted && o.head_norm != HeadNorm::joint) return;
  DecoderOptions rms = o;
  rms.norm = NormKind::rms;
  const bool joint = o.head_norm == HeadNorm::joint;
  ln_q = Norm(o.size_of_head() * (joint ? o.heads : 1), rms);
  ln_k = Norm(o.size_of_head() * (joint ? o.key_heads() : 1), rms);
}

Shape CausalSelfAttention::stacked() const {
  const int64_t size = options_.size_of_head(), keys = options_.key_heads() * size;
  return {options_.heads * size, keys, keys};
}

Tensor CausalSelfAttention::frequencies(int64_t length) const {
  const DecoderDetails& d = options_.details;
  if (d.rope_scaling == RopeScaling::dynamic) return rope_frequencies(options_, length);
  const bool is_long = long_frequencies_.defined() && length > rope_reach(options_, 0);
  return is_long ? long_frequencies_ : frequencies_;
}

// Queries or keys with their norm and rotation; empty positions are 0, 1, ...
Tensor CausalSelfAttention::placed(const Tensor& heads, const Norm& norm, const Tensor& positions,
                                   const Tensor& frequencies) const {
  const DecoderDetails& d = options_.details;
  Tensor x = heads;
  if (options_.head_norm == HeadNorm::plain) x = rms_norm(x, {}, {.eps = options_.eps});
  if (options_.head_norm == HeadNorm::weighted) x = norm(x);
  if (options_.positions != Positions::rotary) return x;
  x = rope(x, positions, frequencies.defined() ? on_device(frequencies, x.device()) : frequencies,
           {.base = options_.rope_base, .width = d.rotary_size, .interleaved = d.rope_interleaved});
  if (d.rope_attention == 1 || !is_partly_rotated()) return x;
  return cat({slice(x, {3, 0, options_.rotated(), 1}) * d.rope_attention,
              slice(x, {3, options_.rotated(), INT64_MAX, 1})},
             3);
}

// [batch, tokens, heads, size] each. Split before heads are transposed, so that backward joins the
// parts in one copy.
Tensors CausalSelfAttention::projections(const Tensor& x) const {
  const int64_t heads = options_.heads, keys = options_.key_heads(), size = options_.size_of_head();
  const auto with_heads = [&](const Tensor& y, int64_t n) {
    return reshape(y, {y.size(0), y.size(1), n, size});
  };
  const bool joint = options_.head_norm == HeadNorm::joint;
  if (c_attn.size() == 1) {
    Tensors parts = split(with_heads(c_attn[0](x), heads + 2 * keys), {heads, keys, keys}, 2);
    if (!joint) return parts;
    const auto flat = [](const Tensor& y) {
      return reshape(y, {y.size(0), y.size(1), y.size(2) * y.size(3)});
    };
    return {with_heads(ln_q(flat(parts[0])), heads), with_heads(ln_k(flat(parts[1])), keys),
            parts[2]};
  }
  const Tensor q = c_attn[0](x), k = c_attn[1](x), v = c_attn[2](x);
  return {with_heads(joint ? ln_q(q) : q, heads), with_heads(joint ? ln_k(k) : k, keys),
          with_heads(v, keys)};
}

CausalSelfAttention::Heads CausalSelfAttention::heads_of(const Tensor& x, const Tensor& positions,
                                                         int64_t length) const {
  Tensors parts = projections(x);
  for (Tensor& part : parts) part = transpose(part, 1, 2);
  const Tensor f = frequencies(length);
  return {placed(parts[0], ln_q, positions, f), placed(parts[1], ln_k, positions, f), parts[2]};
}

AttentionAttrs CausalSelfAttention::attention() const {
  const DecoderDetails& d = options_.details;
  double scale = d.attention_scale;
  // of queries and keys; where only a part of them is rotated, placed() multiplies that part
  if (d.rope_attention != 1 && options_.positions == Positions::rotary && !is_partly_rotated()) {
    if (scale == 0) scale = 1 / std::sqrt(static_cast<double>(options_.size_of_head()));
    scale *= d.rope_attention * d.rope_attention;
  }
  return {.causal = true, .scale = scale, .softcap = d.score_cap, .window = options_.window};
}

Tensor CausalSelfAttention::merge(const Tensor& heads) const {
  const Tensor rows = transpose(heads, 1, 2);
  return dropout_(c_proj(reshape(rows, {rows.size(0), rows.size(1), rows.size(2) * rows.size(3)})));
}

Tensor CausalSelfAttention::operator()(const Tensor& x, int64_t length) const {
  Heads h = heads_of(x, {}, length);
  return merge(scaled_dot_product_attention(h.q, h.k, h.v, attention()));
}

Tensor CausalSelfAttention::operator()(const Tensor& x, const KeyValueCache& cache,
                                       const Tensor& positions, int64_t length) const {
  NoGrad scope;
  Heads h = heads_of(x, unsqueeze(positions, 1), length);
  cache.write_last(h.k, h.v);
  const AttentionAttrs a = attention();
  return merge(cache.attend(h.q, {.scale = a.scale, .softcap = a.softcap, .window = a.window}));
}

Tensor CausalSelfAttention::to_all(const Tensor& x, const Tensor& lengths,
                                   const Tensor& mask) const {
  AttentionAttrs attrs = attention();
  attrs.causal = false;
  const Heads h = heads_of(x, {}, x.size(1));
  // with lengths, windows would count positions from the end of a row
  const bool masked = attrs.window > 0;
  return merge(scaled_dot_product_attention(h.q, h.k, h.v, masked ? mask : Tensor(),
                                            masked ? Tensor() : lengths, attrs));
}

void CausalSelfAttention::visit(Visitor& v) {
  constexpr const char* kSeparate[] = {"c_q", "c_k", "c_v"};
  for (size_t i = 0; i < c_attn.size(); ++i)
    v.module(c_attn.size() == 1 ? "c_attn" : kSeparate[i], c_attn[i]);
  if (!ln_q.is_identity()) v.module("ln_q", ln_q);
  if (!ln_k.is_identity()) v.module("ln_k", ln_k);
  v.module("c_proj", c_proj);
  v.module("dropout", dropout_);
}

constinit const LayerDef causal_self_attention_layer =
    define_layer<CausalSelfAttention, AttentionOptions>(
        "CausalSelfAttention", "causal multi-head self-attention, by default as in GPT-2",
        [](LayerSamples& s) {
          Samples draw;
          const auto add = [&](const DecoderOptions& o, const Tensor& x) {
            s.add(AttentionOptions{o}, {x});
          };
          add({.heads = 2, .width = 4}, draw.uniform({2, 3, 4}));
          add({.heads = 1, .width = 3, .bias = false}, draw.uniform({1, 2, 3}));
          add({.heads = 4,
               .width = 6,
               .bias = false,
               .positions = Positions::rotary,
               .head_norm = HeadNorm::weighted,
               .kv_heads = 2,
               .head_size = 2,
               .window = 2},
              draw.uniform({2, 4, 6}));
          add({.heads = 1,
               .width = 4,
               .positions = Positions::rotary,
               .head_norm = HeadNorm::plain},
              draw.uniform({1, 3, 4}));
          s.refuse(Code::value, AttentionOptions{});
          s.refuse(Code::value, AttentionOptions{{.heads = 3, .width = 4}});
          s.refuse(Code::value, AttentionOptions{{.heads = 4, .width = 4, .kv_heads = 3}});
          s.refuse(Code::value,
                   AttentionOptions{{.heads = 1, .width = 3, .positions = Positions::rotary}});
        });

Mlp::Mlp(const DecoderOptions& o, Generator* generator)
    : c_fc({o.width, o.inner_size(), o.bias}, generator),
      c_proj({o.inner_size(), o.width, o.bias}, generator),
      activation_(o.activation),
      dropout_({o.dropout}) {
  if (o.gated) c_gate.emplace_back(LinearOptions{o.width, o.inner_size(), o.bias}, generator);
}

Tensor Mlp::operator()(const Tensor& x) const {
  const Tensor up = c_fc(x);
  return dropout_(c_proj(c_gate.empty() ? activate(up, activation_)
                                        : activate(c_gate[0](x), activation_) * up));
}

void Mlp::visit(Visitor& v) {
  v.module("c_fc", c_fc);
  for (Linear& gate : c_gate) v.module("c_gate", gate);
  v.module("c_proj", c_proj);
  v.module("dropout", dropout_);
}

constinit const LayerDef mlp_layer = define_layer<Mlp, MlpOptions>(
    "MLP", "multilayer perceptron: two linear layers with an activation between",
    [](LayerSamples& s) {
      Samples draw;
      const auto add = [&](const DecoderOptions& o, const Tensor& x) { s.add(MlpOptions{o}, {x}); };
      add({.width = 3}, draw.uniform({2, 3}));
      add({.width = 2, .inner = 3, .bias = false, .activation = Activation::silu},
          draw.uniform({2, 2, 2}));
      add({.width = 2, .inner = 3, .activation = Activation::silu, .gated = true},
          draw.uniform({2, 2}));
      add({.width = 3, .activation = Activation::relu_squared}, draw.uniform({2, 3}));
      s.refuse(Code::value, MlpOptions{});
      s.refuse(Code::value, MlpOptions{{.width = 2, .dropout = 2}});
    });

TransformerBlock::TransformerBlock(const DecoderOptions& o, Generator* generator)
    : attn(o, generator), mlp(o, generator), residual_scale_(o.details.residual_scale) {
  if (o.norm_place != NormPlace::after) {
    ln_1 = Norm(o.width, o);
    ln_2 = Norm(o.width, o);
  }
  if (o.norm_place != NormPlace::before) {
    ln_1_after = Norm(o.width, o);
    ln_2_after = Norm(o.width, o);
  }
}

Tensor TransformerBlock::with(const Tensor& x, const Tensor& attention) const {
  const auto scaled = [&](const Tensor& y) {
    return residual_scale_ == 1 ? y : y * residual_scale_;
  };
  const Tensor y = x + scaled(ln_1_after(attention));
  return y + scaled(ln_2_after(mlp(ln_2(y))));
}

Tensor TransformerBlock::operator()(const Tensor& x, int64_t length) const {
  return with(x, attn(ln_1(x), length));
}

Tensor TransformerBlock::operator()(const Tensor& x, const KeyValueCache& cache,
                                    const Tensor& positions, int64_t length) const {
  return with(x, attn(ln_1(x), cache, positions, length));
}

void TransformerBlock::visit(Visitor& v) {
  const auto norm = [&](const char* name, Norm& of) {
    if (!of.is_identity()) v.module(name, of);
  };
  norm("ln_1", ln_1);
  v.module("attn", attn);
  norm("ln_1_after", ln_1_after);
  norm("ln_2", ln_2);
  v.module("mlp", mlp);
  norm("ln_2_after", ln_2_after);
}

constinit const LayerDef transformer_block_layer =
    define_layer<TransformerBlock, TransformerBlockOptions>(
        "TransformerBlock", "transformer block of decoders: attention and MLP with residuals",
        [](LayerSamples& s) {
          Samples draw;
          const auto add = [&](const DecoderOptions& o, const Tensor& x) {
            s.add(TransformerBlockOptions{o}, {x});
          };
          add({.heads = 2, .width = 4, .inner = 3}, draw.uniform({2, 3, 4}));
          add({.heads = 1, .width = 2, .bias = false}, draw.uniform({1, 2, 2}));
          add({.heads = 1,
               .width = 4,
               .positions = Positions::rotary,
               .norm = NormKind::rms,
               .norm_place = NormPlace::both},
              draw.uniform({1, 2, 4}));
          add({.heads = 1, .width = 3, .norm_place = NormPlace::after}, draw.uniform({1, 2, 3}));
          s.refuse(Code::value, TransformerBlockOptions{});
          s.refuse(Code::value, TransformerBlockOptions{{.heads = 3, .width = 4}});
        });

}  // namespace gyre::nn
