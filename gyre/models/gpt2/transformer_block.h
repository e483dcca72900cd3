#pragma once
#include "gyre/models/gpt2/causal_self_attention.h"
#include "gyre/models/gpt2/mlp.h"
#include "gyre/nn/norms.h"

namespace gyre {

struct TransformerBlockOptions {
  int64_t width = 0, heads = 1, inner = 0;
  bool bias = true;
  Activation activation = Activation::gelu_tanh;
  double dropout = 0, eps = 1e-5;
};
GYRE_FIELDS(TransformerBlockOptions,
            GYRE_FIELD(width, "model width (embedding size); divisible by heads",
                       .alias = "embed_dim,d_model,n_embd,hidden_size"),
            GYRE_FIELD(heads, "attention heads", .alias = "num_heads,n_head,nhead"),
            GYRE_FIELD(inner, "hidden size of the MLP; 0: 4 * width",
                       .alias = "dim_feedforward,n_inner"),
            GYRE_FIELD(bias, "use biases in linear layers and norms"),
            GYRE_FIELD(activation, "activation function of the MLP"),
            GYRE_FIELD(dropout, "dropout probability of each branch's output"),
            GYRE_FIELD(eps, "epsilon of layer normalisation"));

namespace nn {

/// Pre-norm transformer block (Radford et al. 2019): x + attention(norm(x)), then the same with an
/// MLP; [batch, tokens, width] to the same shape. Parameter names as in GPT-2.
class TransformerBlock : public Layer {
 public:
  explicit TransformerBlock(const TransformerBlockOptions& options, Generator* generator = nullptr);

  Tensor operator()(const Tensor& x) const override;
  Tensor operator()(const Tensor& x, const KeyValueCache& cache) const;
  void visit(Visitor& visitor) override;

  LayerNorm ln_1;
  CausalSelfAttention attn;
  LayerNorm ln_2;
  Mlp mlp;
};

}  // namespace nn
}  // namespace gyre
