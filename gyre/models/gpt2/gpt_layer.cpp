#include "gyre/models/gpt2/gpt_layer.h"

#include "gyre/ops/create/create.h"

namespace gyre {
namespace {

constexpr Arg kIn[] = {{.name = "tokens", .differentiable = false}};
constexpr const char* kOut[] = {"logits"};

void samples(nn::LayerSamples& s) {
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

Tensors GptLayer::forward(Inputs inputs) const {
  return {(*this)(nn::LayerInputs(inputs, "GPT", 1, 1)[0])};
}

constinit const nn::LayerDef nn::gpt_layer = nn::define_layer<GptLayer, GptOptions>(
    "GPT", "GPT-2 language model: next-token logits (Radford et al. 2019)", samples, kIn, kOut);

}  // namespace gyre
