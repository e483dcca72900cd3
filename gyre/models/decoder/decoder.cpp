#include "gyre/models/decoder/decoder.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "gyre/base/error.h"
#include "gyre/models/layers.h"
#include "gyre/nn/tensor_walk.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

const DecoderOptions& checked(const DecoderOptions& o) {
  check_record("GPT", o);
  check_heads("GPT", o);
  return o;
}

double real(int64_t size) { return static_cast<double>(size); }

}  // namespace

double parameter_count(const DecoderOptions& o) {
  const double width = real(o.width), inner = real(o.inner_size()), head = real(o.size_of_head());
  const double queries = real(o.heads) * head, qkv = queries + 2 * real(o.key_heads()) * head;
  const double up = (o.gated ? 2 : 1) * inner;
  const double biases = (o.attention_bias(false) ? qkv : 0) + (o.attention_bias(true) ? width : 0) +
                        (o.bias ? up + width : 0);
  const double norm = o.bias && o.norm == NormKind::layer ? 2 * width : width;
  const double norms = o.norm_place == NormPlace::both ? 4 : 2;
  const double heads = o.head_norm == HeadNorm::weighted ? 2 * head
                       : o.head_norm == HeadNorm::joint  ? queries + real(o.key_heads()) * head
                                                         : 0;
  const double layer = width * (qkv + queries + up + inner) + biases + norms * norm + heads;
  const double tables = (o.positions == Positions::learned ? real(o.block_size) : 0) +
                        real(o.vocab) * (o.tie_embeddings ? 1 : 2);
  return tables * width + real(o.layers) * layer + (o.norm_embeddings ? 2 : 1) * norm;
}

double activation_count(const DecoderOptions& o, int64_t batch, int64_t checkpoint_every) {
  const double heads = 2 * real(o.heads + o.key_heads()) * real(o.size_of_head());
  const double layer =
      4 * real(o.width) + heads + (o.activation == Activation::relu ? 1 : 2) * real(o.inner_size());
  const double logits = 2 * real(o.vocab), tokens = real(batch) * real(o.block_size);
  if (checkpoint_every == 0) return tokens * (real(o.layers) * layer + logits);
  const double each = std::min(real(checkpoint_every), real(o.layers));
  const double inputs = std::ceil(real(o.layers) / each) * real(o.width);
  return tokens * (inputs + std::max(logits, each * layer));
}

Decoder::Decoder(const DecoderOptions& o, Generator* generator) : Decoder(o, nn::Unfilled()) {
  if (!nn::Unfilled::active()) initialise(generator ? *generator : default_generator());
}

Decoder::Decoder(const DecoderOptions& o, const nn::Unfilled&)
    : wte({checked(o).vocab, o.width}), ln_f(o.width, o), options_(o), dropout_({o.dropout}) {
  if (o.positions == Positions::learned) wpe.emplace_back(EmbeddingOptions{o.block_size, o.width});
  if (o.norm_embeddings) ln_0 = nn::Norm(o.width, o);
  for (int64_t i = 0; i < o.layers; ++i) h.emplace_back(o.of_layer(i));
  if (!o.tie_embeddings) lm_head.emplace_back(LinearOptions{o.width, o.vocab, false});
}

void Decoder::initialise(Generator& generator) {
  auto is_norm = [](const std::string& name) { return name.find("ln_") != std::string::npos; };
  // skips the numbers that the layers alone would draw, so that a seed gives the same weights
  nn::for_each_tensor(*this, [&](const std::string& name, Tensor& value, bool) {
    if (!is_norm(name)) generator.offset += static_cast<uint64_t>(value.numel() + 3) / 4;
  });
  double small = 0.02 / std::sqrt(2.0 * static_cast<double>(options_.layers));
  nn::for_each_tensor(*this, [&](const std::string& name, Tensor& value, bool) {
    const Shape shape = value.shape();
    if (shape.rank > 1) {
      value = nn::normal(shape, name.ends_with("c_proj.weight") ? small : 0.02, &generator);
    } else {
      const bool one = is_norm(name) && name.ends_with("weight") && !options_.details.norm_offset;
      value = nn::constant(shape, one ? 1 : 0);
    }
  });
}

Tensor Decoder::logits(const Tensor& hidden) const {
  const DecoderDetails& d = options_.details;
  Tensor y = lm_head.empty() ? linear(hidden, wte.weight) : lm_head[0](hidden);
  if (d.logit_scale != 1) y = y * d.logit_scale;
  return d.logit_cap == 0 ? y : tanh(y / d.logit_cap) * d.logit_cap;
}

// Embedded tokens, plus learned positions if any: rows `places` of their table, else the first.
Tensor Decoder::embedded(const Tensor& tokens, const Tensor& places) const {
  Tensor x = wte(tokens);
  if (const double scale = options_.details.embedding_scale; scale != 1)
    x = x * full({}, scale, {.dtype = x.dtype(), .device = x.device()});  // rounded, as Gemma's is
  if (!wpe.empty()) {
    const int64_t n = tokens.size(1);
    const Tensor& table = wpe[0].weight;
    x = x + (places.defined() ? wpe[0](places) : slice(table, {0, 0, n, 1}));
  }
  return dropout_(ln_0(x));
}

Tensor Decoder::in_batch(const Tensor& tokens, int64_t longest) const {
  check_tokens(tokens, 0);
  const int64_t length = std::max(longest, tokens.size(1));
  const Tensor x = stack.run(
      h, embedded(tokens, {}),
      [length](const nn::TransformerBlock& block, const Tensor& in) { return block(in, length); });
  return logits(ln_f(x));
}

TokenCache Decoder::cache(int64_t rows, CacheDType dtype) const {
  const DType stored = stored_dtype(dtype, wte.weight.dtype());
  TokenCache cache{.lengths = zeros({rows}, {.dtype = DType::i64, .device = wte.weight.device()})};
  const int64_t room = std::min(TokenCache::kFirst, options_.block_size);
  for (int64_t i = 0; i < options_.layers; ++i) {
    cache.add_layer(options_.key_heads(), room, options_.size_of_head(), stored,
                    options_.of_layer(i).window);
  }
  if (reach(0) < context()) {
    cache.tokens = zeros({rows, room}, {.dtype = DType::i64});
    cache.reaches = zeros({rows}, {.dtype = DType::i64});
  }
  return cache;
}

Tensor Decoder::last_logits(const Tensor& tokens, const TokenCache& cache, int64_t count) const {
  Tensor places = arange(static_cast<double>(-tokens.size(1)), 0, 1,
                         {.dtype = DType::i64, .device = cache.lengths.device()});
  places = unsqueeze(cache.lengths, 1) + places;
  Tensor x = embedded(tokens, places);
  const int64_t length = cache.reaches.defined() ? to_vector<int64_t>(cache.reaches)[0] : 0;
  for (size_t i = 0; i < h.size(); ++i) x = h[i](x, cache.layers[i], places, length);
  return logits(ln_f(slice(x, {1, -count, INT64_MAX, 1})));
}

void Decoder::visit(nn::Visitor& v) {
  v.module("wte", wte);
  for (nn::Embedding& places : wpe) v.module("wpe", places);
  if (!ln_0.is_identity()) v.module("ln_0", ln_0);
  v.module("drop", dropout_);
  for (size_t i = 0; i < h.size(); ++i) v.module("h." + std::to_string(i), h[i]);
  v.stack(stack);
  v.module("ln_f", ln_f);
  for (nn::Linear& head : lm_head) v.module("lm_head", head);
}

nn::MatrixRoles Decoder::matrix_roles() const {
  nn::MatrixRoles roles;
  roles.tables.push_back(wte.weight);
  for (const nn::Embedding& places : wpe) roles.tables.push_back(places.weight);
  for (const nn::Linear& head : lm_head) roles.tables.push_back(head.weight);
  if (h.empty() || options_.details.separate) return roles;
  roles.parts = h[0].attn.stacked();
  for (const nn::TransformerBlock& block : h) roles.stacked.push_back(block.attn.c_attn[0].weight);
  return roles;
}

namespace {

constexpr Arg kTokens[] = {{.name = "tokens", .differentiable = false}};
constexpr const char* kLogits[] = {"logits"};

void gpt_samples(nn::LayerSamples& s) {
  s.add(DecoderOptions{.vocab = 5, .block_size = 4, .layers = 1, .heads = 2, .width = 4},
        {tensor<int64_t>({0, 3, 4, 1}, {2, 2})});
  s.add(DecoderOptions{.vocab = 3,
                       .block_size = 2,
                       .layers = 1,
                       .heads = 1,
                       .width = 2,
                       .tie_embeddings = false},
        {tensor<int64_t>({2, 0}, {1, 2})});
  s.refuse(Code::value, DecoderOptions{});
  s.refuse(Code::value,
           DecoderOptions{.vocab = 5, .block_size = 4, .layers = 1, .heads = 3, .width = 4});
}

}  // namespace

Tensors Decoder::forward(Inputs inputs) const {
  return {(*this)(nn::LayerInputs(inputs, "GPT", 1, 1)[0])};
}

constinit const nn::LayerDef nn::gpt_layer = nn::define_layer<Decoder, DecoderOptions>(
    "GPT", "decoder-only transformer, by default GPT-2 (Radford et al. 2019): next-token logits",
    gpt_samples, kTokens, kLogits);

}  // namespace gyre
