#include "gyre/models/gpt2/gpt.h"

#include <cmath>
#include <string>

#include "gyre/base/error.h"
#include "gyre/nn/tensor_walk.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

const GptOptions& checked(const GptOptions& o) {
  check_record("gpt", o);
  if (o.width % o.heads) {
    throw Error(Code::value, "gpt",
                "`width` must be divisible by `heads` (" + std::to_string(o.heads) + "), got " +
                    std::to_string(o.width),
                "divisible by " + std::to_string(o.heads), std::to_string(o.width));
  }
  return o;
}

double real(int64_t size) { return static_cast<double>(size); }

double inner_of(const GptOptions& o) { return o.inner > 0 ? real(o.inner) : 4 * real(o.width); }

}  // namespace

double parameter_count(const GptOptions& o) {
  double width = real(o.width), inner = inner_of(o);
  double biases = o.bias ? 5 * width + inner : 0, norm = o.bias ? 2 * width : width;
  double layer = 4 * width * width + 2 * width * inner + biases + 2 * norm;
  double tables = real(o.block_size) + real(o.vocab) * (o.tie_embeddings ? 1 : 2);
  return tables * width + real(o.layers) * layer + norm;
}

double activation_count(const GptOptions& o, int64_t batch) {
  double layer = 8 * real(o.width) + (o.activation == Activation::relu ? 1 : 2) * inner_of(o);
  return real(batch) * real(o.block_size) * (real(o.layers) * layer + 2 * real(o.vocab));
}

Gpt::Gpt(const GptOptions& o, Generator* generator) : Gpt(o, nn::Unfilled()) {
  if (!nn::Unfilled::active()) initialise(generator ? *generator : default_generator());
}

Gpt::Gpt(const GptOptions& o, const nn::Unfilled&)
    : wte({checked(o).vocab, o.width}),
      wpe({o.block_size, o.width}),
      ln_f({o.width, o.eps, o.bias}),
      options_(o),
      dropout_({o.dropout}) {
  for (int64_t i = 0; i < o.layers; ++i) {
    h.emplace_back(TransformerBlockOptions{.width = o.width,
                                           .heads = o.heads,
                                           .inner = o.inner,
                                           .bias = o.bias,
                                           .activation = o.activation,
                                           .dropout = o.dropout,
                                           .eps = o.eps});
  }
  if (!o.tie_embeddings) lm_head.emplace_back(LinearOptions{o.width, o.vocab, false});
}

void Gpt::initialise(Generator& generator) {
  auto is_norm = [](const std::string& name) { return name.find("ln_") != std::string::npos; };
  // past the numbers that the layers by themselves would draw: a seed keeps its weights
  nn::for_each_tensor(*this, [&](const std::string& name, Tensor& value, bool) {
    if (!is_norm(name)) generator.offset += static_cast<uint64_t>(value.numel() + 3) / 4;
  });
  double small = 0.02 / std::sqrt(2.0 * static_cast<double>(options_.layers));
  nn::for_each_tensor(*this, [&](const std::string& name, Tensor& value, bool) {
    const Shape shape = value.shape();
    if (shape.rank > 1) {
      value = nn::normal(shape, name.ends_with("c_proj.weight") ? small : 0.02, &generator);
    } else {
      value = nn::constant(shape, is_norm(name) && name.ends_with("weight") ? 1 : 0);
    }
  });
}

Tensor Gpt::embed(const Tensor& tokens, int64_t first) const {
  if (tokens.rank() != 2) {
    throw mismatch(Code::shape, "gpt", "tokens must be [batch, tokens]", "[batch, tokens]",
                   to_string(tokens.shape()));
  }
  int64_t end = first + tokens.size(1);
  if (end > options_.block_size) {
    throw mismatch(
        Code::value, "gpt",
        "expected at most " + std::to_string(options_.block_size) + " tokens (block_size)",
        "<= " + std::to_string(options_.block_size), std::to_string(end));
  }
  bool whole = first == 0 && end == options_.block_size;
  return dropout_(wte(tokens) + (whole ? wpe.weight : slice(wpe.weight, {0, first, end, 1})));
}

Tensor Gpt::logits(const Tensor& hidden) const {
  return lm_head.empty() ? linear(hidden, wte.weight) : lm_head[0](hidden);
}

Tensor Gpt::operator()(const Tensor& tokens) const {
  Tensor x = embed(tokens, 0);
  for (const nn::TransformerBlock& block : h) {
    auto body = [block](Inputs in) { return Tensors{block(in[0])}; };
    x = checkpoints ? checkpoint(body, Inputs(&x, 1), checkpoints)[0] : block(x);
  }
  return logits(ln_f(x));
}

Tensor Gpt::loss(const Tensor& tokens, const Tensor& targets) const {
  Tensor scores = (*this)(tokens);
  // 16-bit logits would leave two or three digits of the loss
  return cross_entropy(size_of(scores.dtype()) == 2 ? gyre::to(scores, DType::f32) : scores,
                       targets);
}

GptCache Gpt::cache() const {
  GptCache cache;
  Shape shape{1, options_.heads, options_.block_size, options_.width / options_.heads};
  for (int64_t i = 0; i < options_.layers; ++i) {
    cache.layers.push_back({empty(shape, wte.weight.dtype()), empty(shape, wte.weight.dtype()), 0});
  }
  return cache;
}

Tensor Gpt::next(const Tensor& tokens, GptCache& cache) const {
  NoGrad scope;
  const int64_t before = cache.length();
  try {
    Tensor x = embed(tokens, before);
    for (size_t i = 0; i < h.size(); ++i) x = h[i](x, cache.layers[i]);
    return reshape(logits(ln_f(slice(x, {1, -1, INT64_MAX, 1}))), {-1});
  } catch (...) {
    for (nn::KeyValueCache& layer : cache.layers) layer.length = before;
    throw;
  }
}

void Gpt::visit(nn::Visitor& v) {
  v.module("wte", wte);
  v.module("wpe", wpe);
  v.module("drop", dropout_);
  for (size_t i = 0; i < h.size(); ++i) v.module("h." + std::to_string(i), h[i]);
  v.module("ln_f", ln_f);
  for (nn::Linear& head : lm_head) v.module("lm_head", head);
}

}  // namespace gyre
