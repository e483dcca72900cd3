#pragma once
#include "gyre/nn/linear.h"
#include "gyre/nn/norms.h"
#include "gyre/nn/op_layers.h"
#include "gyre/nn/sequence/key_value_cache.h"

namespace gyre {

struct AttentionOptions {
  int64_t width = 0, heads = 1;
  bool bias = true;
  double dropout = 0;
};
GYRE_FIELDS(AttentionOptions,
            GYRE_FIELD(width, "model width (embedding size); divisible by heads",
                       .alias = "embed_dim,d_model,n_embd,hidden_size"),
            GYRE_FIELD(heads, "attention heads, each of size width / heads",
                       .alias = "num_heads,n_head,nhead"),
            GYRE_FIELD(bias, "use biases in the linear layers"),
            GYRE_FIELD(dropout, "dropout probability of the output"));

struct MlpOptions {
  int64_t width = 0, inner = 0;
  bool bias = true;
  Activation activation = Activation::gelu_tanh;
  double dropout = 0;
};
GYRE_FIELDS(MlpOptions,
            GYRE_FIELD(width, "input and output size",
                       .alias = "embed_dim,d_model,n_embd,hidden_size"),
            GYRE_FIELD(inner, "hidden size; 0: 4 * width", .alias = "dim_feedforward,n_inner"),
            GYRE_FIELD(bias, "use biases in both layers"),
            GYRE_FIELD(activation, "activation function"),
            GYRE_FIELD(dropout, "dropout probability of the output"));

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

/// Causal multi-head self-attention (Vaswani et al. 2017): [batch, tokens, width] to the same
/// shape. Queries, keys and values are strided views of one projection. Parameter names as in
/// GPT-2.
class CausalSelfAttention : public Layer {
 public:
  /// Error{value} if width is not divisible by heads.
  explicit CausalSelfAttention(const AttentionOptions& options, Generator* generator = nullptr);

  Tensor operator()(const Tensor& x) const override;
  /// Attention for the last tokens of the cache's rows, which its lengths count already: their keys
  /// and values are written to it. Not recorded. Error{index} if a length exceeds the capacity.
  Tensor operator()(const Tensor& x, const KeyValueCache& cache) const;
  void visit(Visitor& visitor) override;

  Linear c_attn, c_proj;

 private:
  Tensor merge(const Tensor& heads, const Tensor& x) const;

  int64_t heads_;
  Dropout dropout_;
};

/// Feed-forward network: [..., width] to [..., inner], activation, back to [..., width]. Parameter
/// names as in GPT-2.
class Mlp : public Layer {
 public:
  explicit Mlp(const MlpOptions& options, Generator* generator = nullptr);

  Tensor operator()(const Tensor& x) const override;
  void visit(Visitor& visitor) override;

  Linear c_fc, c_proj;

 private:
  Activation activation_;
  Dropout dropout_;
};

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
