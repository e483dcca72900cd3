#pragma once
#include <vector>

#include "gyre/nn/activation.h"
#include "gyre/nn/dropout.h"
#include "gyre/nn/norms/layer_norm.h"
#include "gyre/nn/sequence/multi_head_attention.h"

namespace gyre {

struct TransformerLayerOptions {
  int64_t width = 0, heads = 1, inner = 0;
  double dropout = 0.1;
  Activation activation = Activation::relu;
  bool norm_first = false, causal = false, bias = true;
  double eps = 1e-5;
};
struct TransformerOptions {
  int64_t layers = 1, width = 0, heads = 1, inner = 0;
  double dropout = 0.1;
  Activation activation = Activation::relu;
  bool norm_first = false, causal = false, bias = true, norm = false;
  double eps = 1e-5;
};
#define GYRE_TRANSFORMER_FIELDS                                                                   \
  GYRE_FIELD(width, "model width, divisible by heads", .alias = "d_model"),                       \
      GYRE_FIELD(heads, "attention heads per layer", .alias = "nhead"),                           \
      GYRE_FIELD(inner, "hidden size of the feed-forward network; 0: 4 width",                    \
                 .alias = "dim_feedforward"),                                                     \
      GYRE_FIELD(dropout, "dropout probability"),                                                 \
      GYRE_FIELD(activation, "activation of the feed-forward network"),                           \
      GYRE_FIELD(norm_first, "pre-norm: normalise before attention and feed-forward, not after"), \
      GYRE_FIELD(causal, "causal mask: token i attends to tokens 0 to i only"),                   \
      GYRE_FIELD(bias, "add biases to linear layers and norms"),                                  \
      GYRE_FIELD(eps, "epsilon of the layer norms")
GYRE_FIELDS(TransformerLayerOptions, GYRE_TRANSFORMER_FIELDS);
GYRE_FIELDS(TransformerOptions, GYRE_FIELD(layers, "stacked layers", .alias = "num_layers"),
            GYRE_TRANSFORMER_FIELDS, GYRE_FIELD(norm, "add a final layer norm"));
#undef GYRE_TRANSFORMER_FIELDS

namespace nn {

/// Transformer encoder layer: self-attention and a feed-forward network, each with a residual
/// connection (Vaswani et al. 2017): [batch, tokens, width] to the same shape. `mask` as in
/// MultiHeadAttention. State dict names as in PyTorch.
class TransformerEncoderLayer : public Module {
 public:
  /// Error{value} as for MultiHeadAttention.
  explicit TransformerEncoderLayer(const TransformerLayerOptions& options,
                                   Generator* generator = nullptr);

  Tensor operator()(const Tensor& x, const Tensor& mask = {}) const;
  /// x, mask? to one output.
  Tensors forward(Inputs inputs) const override;
  void visit(Visitor& visitor) override;

  MultiHeadAttention self_attn;
  Linear linear1, linear2;
  LayerNorm norm1, norm2;

 private:
  bool norm_first_;
  Activation activation_;
  Dropout dropout_;
};

/// Transformer decoder layer: also attends to `memory` [batch, others, width] between the two.
class TransformerDecoderLayer : public Module {
 public:
  explicit TransformerDecoderLayer(const TransformerLayerOptions& options,
                                   Generator* generator = nullptr);

  Tensor operator()(const Tensor& x, const Tensor& memory, const Tensor& mask = {},
                    const Tensor& memory_mask = {}) const;
  /// x, memory, mask?, memory_mask? to one output.
  Tensors forward(Inputs inputs) const override;
  void visit(Visitor& visitor) override;

  MultiHeadAttention self_attn, multihead_attn;
  Linear linear1, linear2;
  LayerNorm norm1, norm2, norm3;

 private:
  bool norm_first_;
  Activation activation_;
  Dropout dropout_;
};

/// A stack of TransformerEncoderLayers with an optional final layer norm.
class TransformerEncoder : public Module {
 public:
  explicit TransformerEncoder(const TransformerOptions& options, Generator* generator = nullptr);

  Tensor operator()(const Tensor& x, const Tensor& mask = {}) const;
  Tensors forward(Inputs inputs) const override;
  void visit(Visitor& visitor) override;

  std::vector<TransformerEncoderLayer> layers;
  std::vector<LayerNorm> norm;  ///< one or none
};

/// A stack of TransformerDecoderLayers with an optional final layer norm.
class TransformerDecoder : public Module {
 public:
  explicit TransformerDecoder(const TransformerOptions& options, Generator* generator = nullptr);

  Tensor operator()(const Tensor& x, const Tensor& memory, const Tensor& mask = {},
                    const Tensor& memory_mask = {}) const;
  Tensors forward(Inputs inputs) const override;
  void visit(Visitor& visitor) override;

  std::vector<TransformerDecoderLayer> layers;
  std::vector<LayerNorm> norm;  ///< one or none
};

}  // namespace nn
}  // namespace gyre
