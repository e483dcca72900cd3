#pragma once
#include <variant>
#include <vector>

#include "gyre/models/decoder/decoder_options.h"
#include "gyre/nn/linear.h"
#include "gyre/nn/norms.h"
#include "gyre/nn/op_layers.h"
#include "gyre/nn/sequence/key_value_cache.h"
#include "gyre/ops/attention/attention.h"

namespace gyre::nn {

/// A LayerNorm, an RmsNorm (with an offset: times 1 + weight, before results are rounded), or the
/// identity.
class Norm : public Layer {
 public:
  Norm() = default;
  /// Of the kind of the options.
  Norm(int64_t width, const DecoderOptions& options);

  Tensor operator()(const Tensor& x) const override;
  void visit(Visitor& visitor) override;
  [[nodiscard]] bool is_identity() const { return norm_.index() == 0; }
  /// Empty for the identity.
  [[nodiscard]] Tensor weight() const;

 private:
  std::variant<std::monostate, LayerNorm, RmsNorm> norm_;
  double eps_ = 0;
  bool offset_ = false;
};

/// Causal multi-head self-attention (Vaswani et al. 2017): [batch, tokens, width] to the same
/// shape, with grouped heads, rotary positions and normalised heads by option. Queries, keys and
/// values are strided views of one projection, unless they are separate. Parameter names as in
/// GPT-2; separate projections are c_q, c_k, c_v.
class CausalSelfAttention : public Layer {
 public:
  /// Error{value} if sizes do not fit together.
  explicit CausalSelfAttention(const DecoderOptions& options, Generator* generator = nullptr);

  Tensor operator()(const Tensor& x) const override { return (*this)(x, x.size(1)); }
  /// With the rotary frequencies of texts of `length` tokens (rope_frequencies()).
  Tensor operator()(const Tensor& x, int64_t length) const;
  /// Attention for new tokens `x`, which the cache's lengths already count: writes their keys and
  /// values to the cache. `positions` [rows, tokens] (i64). Not recorded. Error{index} if a
  /// length exceeds the capacity.
  Tensor operator()(const Tensor& x, const KeyValueCache& cache, const Tensor& positions,
                    int64_t length) const;
  /// Attention of each token to all of its row, not causal, as in encoders: to the first
  /// lengths[row] keys, or to all if `lengths` is empty. `mask` [rows, 1, 1, tokens], true for the
  /// same keys, is used instead where there is a window, which goes both ways.
  [[nodiscard]] Tensor to_all(const Tensor& x, const Tensor& lengths, const Tensor& mask) const;
  void visit(Visitor& visitor) override;

  /// Rows of a joint projection that make queries, keys and values.
  [[nodiscard]] Shape stacked() const;

  std::vector<Linear> c_attn;  ///< one, or those of queries, keys and values
  Linear c_proj;
  Norm ln_q, ln_k;  ///< of weighted head norms

 private:
  struct Heads {
    Tensor q, k, v;  // [batch, heads, tokens, size]
  };
  [[nodiscard]] AttentionAttrs attention() const;
  Tensors projections(const Tensor& x) const;
  Heads heads_of(const Tensor& x, const Tensor& positions, int64_t length) const;
  Tensor placed(const Tensor& heads, const Norm& norm, const Tensor& positions,
                const Tensor& frequencies) const;
  [[nodiscard]] Tensor frequencies(int64_t length) const;
  [[nodiscard]] bool is_partly_rotated() const {
    return options_.rotated() < options_.size_of_head();
  }
  Tensor merge(const Tensor& heads) const;

  DecoderOptions options_;
  // of texts up to the original context, and of longrope's longer ones; empty: by rope_base
  Tensor frequencies_, long_frequencies_;
  Dropout dropout_;
};

/// Feed-forward network: [..., width] to [..., inner], activation, back to [..., width]. Parameter
/// names as in GPT-2; a gated one (Shazeer, "GLU Variants", 2020) has `c_gate` too.
class Mlp : public Layer {
 public:
  explicit Mlp(const DecoderOptions& options, Generator* generator = nullptr);

  Tensor operator()(const Tensor& x) const override;
  void visit(Visitor& visitor) override;

  Linear c_fc, c_proj;
  std::vector<Linear> c_gate;  ///< one, or none

 private:
  Activation activation_;
  Dropout dropout_;
};

/// Transformer block: x + attention(x), then the same with an MLP, each with norms before (Radford
/// et al. 2019), after or both; [batch, tokens, width] to the same shape. Parameter names as in
/// GPT-2; norms of outputs are `ln_1_after` and `ln_2_after`.
class TransformerBlock : public Layer {
 public:
  explicit TransformerBlock(const DecoderOptions& options, Generator* generator = nullptr);

  Tensor operator()(const Tensor& x) const override { return (*this)(x, x.size(1)); }
  Tensor operator()(const Tensor& x, int64_t length) const;
  Tensor operator()(const Tensor& x, const KeyValueCache& cache, const Tensor& positions,
                    int64_t length) const;
  void visit(Visitor& visitor) override;

  Norm ln_1;
  CausalSelfAttention attn;
  Norm ln_1_after, ln_2;
  Mlp mlp;
  Norm ln_2_after;

 private:
  Tensor with(const Tensor& x, const Tensor& attention) const;

  double residual_scale_;
};

}  // namespace gyre::nn
