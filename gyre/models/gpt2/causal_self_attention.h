#pragma once
#include "gyre/nn/linear.h"
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

}  // namespace nn
}  // namespace gyre
