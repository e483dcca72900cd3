#pragma once
#include "gyre/nn/dropout.h"
#include "gyre/nn/linear.h"

namespace gyre {

struct AttentionOptions {
  int64_t width = 0, heads = 1;
  bool bias = true;
  double dropout = 0;
};
GYRE_FIELDS(AttentionOptions, GYRE_FIELD(width, "numbers a token, a multiple of heads"),
            GYRE_FIELD(heads, "attentions side by side, each of width / heads numbers"),
            GYRE_FIELD(bias, "the linear layers have biases"),
            GYRE_FIELD(dropout, "share of the result dropped in training"));

namespace nn {

/// Keys and values of earlier tokens, [batch, heads, room, width / heads] each; the first `length`
/// tokens are set.
struct KeyValueCache {
  Tensor keys, values;
  int64_t length = 0;
};

/// Attention of each token to itself and those before it (Vaswani et al. 2017), [batch, tokens,
/// width] to the same shape. Queries, keys and values are strided views of one projection. Names as
/// in GPT-2.
class CausalSelfAttention : public Layer {
 public:
  /// Error{value} when width is not a multiple of heads.
  explicit CausalSelfAttention(const AttentionOptions& options, Generator* generator = nullptr);

  Tensor operator()(const Tensor& x) const override;
  /// The same for tokens that follow those in the cache, to which they are added unless this
  /// fails. Not recorded. Error{value} when the cache has no room for them.
  Tensor operator()(const Tensor& x, KeyValueCache& cache) const;
  void visit(Visitor& visitor) override;

  Linear c_attn, c_proj;

 private:
  Tensor merge(const Tensor& heads, const Tensor& x) const;

  int64_t heads_;
  Dropout dropout_;
};

}  // namespace nn
}  // namespace gyre
