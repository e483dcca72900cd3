#include "gyre/models/encoder/text_encoder.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/nn/layer_def.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/scan.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr const char* kEncoder = "TextEncoder";

const EncoderOptions& checked_encoder(const EncoderOptions& o) {
  check_encoder(kEncoder, o);
  return o;
}

DecoderOptions of_mlp(DecoderOptions o, bool bias) {
  o.bias = bias;
  return o;
}

}  // namespace

EncoderBlock::EncoderBlock(const EncoderOptions& o, int64_t i)
    : attn(o.of_layer(i)), mlp(of_mlp(o.of_layer(i), o.mlp_bias)), norm_first_(o.norm_first) {
  if (!o.norm_first || i > 0) ln_1 = nn::Norm(o.width, o.of_layer(i));
  ln_2 = nn::Norm(o.width, o.of_layer(i));
}

Tensor EncoderBlock::operator()(const Tensor& x, const Tensor& lengths, const Tensor& mask) const {
  if (norm_first_) {
    const Tensor y = x + attn.to_all(ln_1(x), lengths, mask);
    return y + mlp(ln_2(y));
  }
  const Tensor y = ln_1(x + attn.to_all(x, lengths, mask));
  return ln_2(y + mlp(y));
}

void EncoderBlock::visit(nn::Visitor& v) {
  if (!ln_1.is_identity()) v.module("ln_1", ln_1);
  v.module("attn", attn);
  v.module("ln_2", ln_2);
  v.module("mlp", mlp);
}

TextEncoder::TextEncoder(const EncoderOptions& o, const nn::Unfilled&) : TextEncoder(o) {}

TextEncoder::TextEncoder(const EncoderOptions& o)
    : wte({checked_encoder(o).vocab, o.width}), ln_0(o.width, o.of_layer(0)), options_(o) {
  if (o.positions == Positions::learned) wpe.emplace_back(EmbeddingOptions{o.block_size, o.width});
  if (o.token_types > 0) wtt.emplace_back(EmbeddingOptions{o.token_types, o.width});
  for (int64_t i = 0; i < o.layers; ++i) h.emplace_back(o, i);
  if (o.norm_first) ln_f = nn::Norm(o.width, o.of_layer(0));
}

void TextEncoder::check(const Tensor& tokens, const Tensor& lengths, const Tensor& types) const {
  if (tokens.rank() != 2) {
    throw mismatch(Code::shape, kEncoder, "tokens must be [rows, tokens]", "[rows, tokens]",
                   tokens.shape());
  }
  const int64_t rows = tokens.size(0), n = tokens.size(1);
  if (n > options_.context()) {
    throw mismatch(Code::value, kEncoder, "expected at most as many tokens as it has positions",
                   {"<= ", options_.context()}, n);
  }
  if (types.defined()) {
    if (wtt.empty()) {
      throw Error(Code::value, kEncoder, "`types` are given, but the encoder has no token types");
    }
    if (!(types.shape() == tokens.shape())) {
      throw mismatch(Code::shape, kEncoder, "expected a type for each token", tokens.shape(),
                     types.shape());
    }
  }
  if (!lengths.defined()) return;
  if (!(lengths.shape() == Shape{rows})) {
    throw mismatch(Code::shape, kEncoder, "expected a length for each row", Shape{rows},
                   lengths.shape());
  }
  for (const int64_t length : to_vector<int64_t>(lengths)) {
    if (length < 1 || length > n) {
      throw mismatch(Code::value, kEncoder, "expected a length for each row", {"1 .. ", n}, length);
    }
  }
}

Tensor TextEncoder::embedded(const Tensor& tokens, const Tensor& types) const {
  Tensor x = wte(tokens);
  if (!wtt.empty()) {
    x = x + (types.defined() ? wtt[0](types) : slice(wtt[0].weight, {0, 0, 1, 1}));
  }
  if (!wpe.empty() && options_.padding < 0) {
    x = x + slice(wpe[0].weight, {0, 0, tokens.size(1), 1});
  } else if (!wpe.empty()) {
    // padding anywhere has its own position and does not count
    const Tensor wide = gyre::to(tokens, DType::i64);
    const Tensor counts = gyre::to(ne(wide, Tensor(options_.padding)), DType::i64);
    x = x + wpe[0](cumsum(counts, 1) * counts + Tensor(options_.padding));
  }
  return ln_0(x);
}

Tensor TextEncoder::operator()(const Tensor& tokens, const Tensor& lengths,
                               const Tensor& types) const {
  check(tokens, lengths, types);
  Tensor x = embedded(tokens, types), mask;
  if (lengths.defined() && options_.window > 0) {
    const Tensor places = arange(0, static_cast<double>(tokens.size(1)), 1,
                                 {.dtype = DType::i64, .device = tokens.device()});
    const Tensor own = reshape(gyre::to(lengths, DType::i64), {lengths.size(0), 1, 1, 1});
    mask = lt(places, own);
  }
  for (const EncoderBlock& block : h) x = block(x, lengths, mask);
  return ln_f(x);
}

Tensors TextEncoder::forward(Inputs inputs) const {
  const nn::LayerInputs in(inputs, kEncoder, 1, 3);
  return {(*this)(in[0], in[1], in[2])};
}

void TextEncoder::visit(nn::Visitor& v) {
  v.module("wte", wte);
  for (nn::Embedding& places : wpe) v.module("wpe", places);
  for (nn::Embedding& types : wtt) v.module("wtt", types);
  v.module("ln_0", ln_0);
  for (size_t i = 0; i < h.size(); ++i) v.module("h." + std::to_string(i), h[i]);
  if (!ln_f.is_identity()) v.module("ln_f", ln_f);
}

}  // namespace gyre
