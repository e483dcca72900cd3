#pragma once
#include "gyre/nn/linear.h"

namespace gyre {

struct MultiHeadAttentionOptions {
  int64_t width = 0, heads = 1;
  bool bias = true, causal = false;
  double dropout = 0;
};
GYRE_FIELDS(MultiHeadAttentionOptions, GYRE_FIELD(width, "numbers a token, a multiple of heads"),
            GYRE_FIELD(heads, "attentions side by side, each of width / heads numbers"),
            GYRE_FIELD(bias, "the linear layers have biases"),
            GYRE_FIELD(causal, "token i of the query sees keys 0 to i only"),
            GYRE_FIELD(dropout, "share of the attention weights dropped in training"));

namespace nn {

/// Attention of the tokens of `query` [batch, queries, width] to those of `key` and `value` [batch,
/// keys, width] (Vaswani et al. 2017). Key is the query if absent, value is the key. `mask`
/// broadcasts to [batch, heads, queries, keys]: boolean, true for what is seen, or floating and
/// added to the scores. Names as PyTorch's.
class MultiHeadAttention : public Module {
 public:
  /// Weights of the inputs by Glorot and Bengio, biases 0. Error{value} for sizes below 1, a width
  /// that is no multiple of heads and a dropout outside [0, 1].
  explicit MultiHeadAttention(const MultiHeadAttentionOptions& options,
                              Generator* generator = nullptr);

  Tensor operator()(const Tensor& query, const Tensor& key = {}, const Tensor& value = {},
                    const Tensor& mask = {}) const;
  /// query, key?, value?, mask? to one result.
  Tensors forward(Inputs inputs) const override;
  void visit(Visitor& visitor) override;

  Tensor in_proj_weight, in_proj_bias;  ///< of query, key and value, one above the other
  Linear out_proj;

 private:
  Tensor heads_of(const Tensor& projected) const;

  MultiHeadAttentionOptions options_;
};

}  // namespace nn
}  // namespace gyre
