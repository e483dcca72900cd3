#include "gyre/models/gpt2/gpt.h"

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

const GptOptions& checked(const GptOptions& o) {
  check_record("gpt", o);
  if (o.width % o.heads) {
    throw Error(Code::value, "gpt",
                {"`width` must be divisible by `heads` (", o.heads, "), got ", o.width},
                {"divisible by ", o.heads}, o.width);
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

Tensor Gpt::logits(const Tensor& hidden) const {
  return lm_head.empty() ? linear(hidden, wte.weight) : lm_head[0](hidden);
}

Tensor Gpt::operator()(const Tensor& tokens) const {
  check_tokens(tokens, 0);
  const int64_t n = tokens.size(1);
  Tensor places = n == options_.block_size ? wpe.weight : slice(wpe.weight, {0, 0, n, 1});
  Tensor x = dropout_(wte(tokens) + places);
  for (const nn::TransformerBlock& block : h) {
    auto body = [block](Inputs in) { return Tensors{block(in[0])}; };
    x = checkpoints ? checkpoint(body, Inputs(&x, 1), checkpoints)[0] : block(x);
  }
  return logits(ln_f(x));
}

TokenCache Gpt::cache(int64_t rows) const {
  const Device device = wte.weight.device();
  TokenCache cache{{}, zeros({rows}, {.dtype = DType::i64, .device = device}), 0};
  Shape shape{rows, options_.heads, options_.block_size, options_.width / options_.heads};
  const auto room = [&] { return empty(shape, wte.weight.dtype(), device); };
  for (int64_t i = 0; i < options_.layers; ++i) {
    cache.layers.push_back({room(), room(), cache.lengths});
  }
  return cache;
}

Tensor Gpt::last_logits(const Tensor& tokens, const TokenCache& cache) const {
  Tensor places = arange(static_cast<double>(-tokens.size(1)), 0, 1,
                         {.dtype = DType::i64, .device = cache.lengths.device()});
  Tensor x = dropout_(wte(tokens) + wpe(unsqueeze(cache.lengths, 1) + places));
  for (size_t i = 0; i < h.size(); ++i) x = h[i](x, cache.layers[i].first(cache.longest));
  Tensor y = logits(ln_f(slice(x, {1, -1, INT64_MAX, 1})));
  return reshape(y, {y.size(0), -1});
}

void Gpt::visit(nn::Visitor& v) {
  v.module("wte", wte);
  v.module("wpe", wpe);
  v.module("drop", dropout_);
  for (size_t i = 0; i < h.size(); ++i) v.module("h." + std::to_string(i), h[i]);
  v.module("ln_f", ln_f);
  for (nn::Linear& head : lm_head) v.module("lm_head", head);
}

namespace {

constexpr Arg kTokens[] = {{.name = "tokens", .differentiable = false}};
constexpr const char* kLogits[] = {"logits"};

void gpt_samples(nn::LayerSamples& s) {
  s.add(GptOptions{.vocab = 5, .block_size = 4, .layers = 1, .heads = 2, .width = 4},
        {tensor<int64_t>({0, 3, 4, 1}, {2, 2})});
  s.add(GptOptions{.vocab = 3,
                   .block_size = 2,
                   .layers = 1,
                   .heads = 1,
                   .width = 2,
                   .tie_embeddings = false},
        {tensor<int64_t>({2, 0}, {1, 2})});
  s.refuse(Code::value, GptOptions{});
  s.refuse(Code::value,
           GptOptions{.vocab = 5, .block_size = 4, .layers = 1, .heads = 3, .width = 4});
}

}  // namespace

Tensors Gpt::forward(Inputs inputs) const {
  return {(*this)(nn::LayerInputs(inputs, "GPT", 1, 1)[0])};
}

constinit const nn::LayerDef nn::gpt_layer = nn::define_layer<Gpt, GptOptions>(
    "GPT", "GPT-2 language model: next-token logits (Radford et al. 2019)", gpt_samples, kTokens,
    kLogits);

}  // namespace gyre
