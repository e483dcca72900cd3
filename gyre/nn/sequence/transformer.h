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
#define GYRE_TRANSFORMER_FIELDS                                                              \
  GYRE_FIELD(width, "numbers a token, a multiple of heads"),                                 \
      GYRE_FIELD(heads, "attention heads a layer"),                                          \
      GYRE_FIELD(inner, "numbers a token between the linear layers; 0: 4 width"),            \
      GYRE_FIELD(dropout, "share of weights, activations and branches dropped in training"), \
      GYRE_FIELD(activation, "between the linear layers"),                                   \
      GYRE_FIELD(norm_first, "branches begin with their norm; else it follows the sum"),     \
      GYRE_FIELD(causal, "token i sees tokens 0 to i only"),                                 \
      GYRE_FIELD(bias, "linear layers and norms have biases"), GYRE_FIELD(eps, "of the norms")
GYRE_FIELDS(TransformerLayerOptions, GYRE_TRANSFORMER_FIELDS);
GYRE_FIELDS(TransformerOptions, GYRE_FIELD(layers, "layers, one after the other"),
            GYRE_TRANSFORMER_FIELDS, GYRE_FIELD(norm, "a norm behind the last layer"));
#undef GYRE_TRANSFORMER_FIELDS

namespace nn {

/// Attention of tokens to each other and two linear layers, each added to what they got (Vaswani et
/// al. 2017): [batch, tokens, width] to the same shape. `mask` as in MultiHeadAttention. Names as
/// PyTorch's.
class TransformerEncoderLayer : public Module {
 public:
  /// Error{value} as for MultiHeadAttention.
  explicit TransformerEncoderLayer(const TransformerLayerOptions& options,
                                   Generator* generator = nullptr);

  Tensor operator()(const Tensor& x, const Tensor& mask = {}) const;
  /// x, mask? to one result.
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

/// The same with attention to the tokens of `memory` [batch, others, width] between the two.
class TransformerDecoderLayer : public Module {
 public:
  explicit TransformerDecoderLayer(const TransformerLayerOptions& options,
                                   Generator* generator = nullptr);

  Tensor operator()(const Tensor& x, const Tensor& memory, const Tensor& mask = {},
                    const Tensor& memory_mask = {}) const;
  /// x, memory, mask?, memory_mask? to one result.
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

/// So many TransformerEncoderLayers, and a norm behind them if asked for.
class TransformerEncoder : public Module {
 public:
  explicit TransformerEncoder(const TransformerOptions& options, Generator* generator = nullptr);

  Tensor operator()(const Tensor& x, const Tensor& mask = {}) const;
  Tensors forward(Inputs inputs) const override;
  void visit(Visitor& visitor) override;

  std::vector<TransformerEncoderLayer> layers;
  std::vector<LayerNorm> norm;  ///< one or none
};

/// So many TransformerDecoderLayers, and a norm behind them if asked for.
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
