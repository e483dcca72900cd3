#pragma once
#include "gyre/nn/linear.h"

namespace gyre {

struct MultiHeadAttentionOptions {
  int64_t width = 0, heads = 1;
  bool bias = true, causal = false;
  double dropout = 0;
};
GYRE_FIELDS(MultiHeadAttentionOptions,
            GYRE_FIELD(width, "model width, divisible by heads", .alias = "embed_dim", .least = 1),
            GYRE_FIELD(heads, "attention heads, each of size width / heads", .alias = "num_heads",
                       .least = 1),
            GYRE_FIELD(bias, "add biases to the input and output projections"),
            GYRE_FIELD(causal, "causal mask: query i attends to keys 0 to i only"),
            GYRE_FIELD(dropout, "dropout probability of the attention weights", .least = 0,
                       .most = 1));

namespace nn {

/// Multi-head attention of `query` [batch, queries, width] to `key` and `value` [batch, keys,
/// width] (Vaswani et al. 2017). An absent key is the query, an absent value is the key. `mask`
/// broadcasts to [batch, heads, queries, keys]: boolean, true where attention is allowed, or
/// floating, added to the scores. State dict names as in PyTorch.
class MultiHeadAttention : public Module {
 public:
  /// Xavier-uniform input projection, biases 0. Error{value} for sizes below 1, a width not
  /// divisible by heads and dropout outside [0, 1].
  explicit MultiHeadAttention(const MultiHeadAttentionOptions& options,
                              Generator* generator = nullptr);

  Tensor operator()(const Tensor& query, const Tensor& key = {}, const Tensor& value = {},
                    const Tensor& mask = {}) const;
  /// query, key?, value?, mask? to one output.
  Tensors forward(Inputs inputs) const override;
  void visit(Visitor& visitor) override;

  Tensor in_proj_weight, in_proj_bias;  ///< projections of query, key and value, stacked
  Linear out_proj;

 private:
  Tensor heads_of(const Tensor& projected) const;

  MultiHeadAttentionOptions options_;
};

}  // namespace nn
}  // namespace gyre
