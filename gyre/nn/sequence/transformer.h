#pragma once
#include <concepts>
#include <vector>

#include "gyre/base/record_part.h"
#include "gyre/nn/layer_stack.h"
#include "gyre/nn/norms.h"
#include "gyre/nn/op_layers.h"
#include "gyre/nn/sequence/multi_head_attention.h"

namespace gyre {

struct TransformerLayerOptions {
  int64_t width = 0, heads = 1, inner = 0;
  double dropout = 0.1;
  Activation activation = Activation::relu;
  bool norm_first = false, causal = false, bias = true;
  double eps = 1e-5;
};
GYRE_FIELDS(TransformerLayerOptions,
            GYRE_FIELD(width, "model width, divisible by heads", .alias = "d_model"),
            GYRE_FIELD(heads, "attention heads per layer", .alias = "nhead"),
            GYRE_FIELD(inner, "hidden size of the feed-forward network; 0: 4 width",
                       .alias = "dim_feedforward"),
            GYRE_FIELD(dropout, "dropout probability"),
            GYRE_FIELD(activation, "activation of the feed-forward network"),
            GYRE_FIELD(norm_first,
                       "pre-norm: normalise before attention and feed-forward, not after"),
            GYRE_FIELD(causal, "causal mask: token i attends to tokens 0 to i only"),
            GYRE_FIELD(bias, "add biases to linear layers and norms"),
            GYRE_FIELD(eps, "epsilon of the layer norms"));

struct TransformerOptions {
  int64_t layers = 1;
  TransformerLayerOptions layer{};
  bool norm = false;
};
GYRE_RECORD(TransformerOptions,
            GYRE_FIELD(layers, "stacked layers", .alias = "num_layers", .least = 1,
                       .most = nn::kMostLayers),
            GYRE_PART(layer), GYRE_FIELD(norm, "add a final layer norm"));

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

/// A stack of layers with an optional final layer norm; called like one of its layers.
template <class Layer>
class TransformerStack : public Module {
 public:
  explicit TransformerStack(const TransformerOptions& options, Generator* generator = nullptr);

  /// The mask, or memory, mask and memory_mask, which all layers get.
  Tensor operator()(const Tensor& x, const std::same_as<Tensor> auto&... others) const {
    const Tensor y = stack_.run(layers, x, [others...](const Layer& layer, const Tensor& in) {
      return layer(in, others...);
    });
    return norm.empty() ? y : norm[0](y);
  }
  Tensors forward(Inputs inputs) const override;
  void visit(Visitor& visitor) override;

  std::vector<Layer> layers;
  std::vector<LayerNorm> norm;  ///< one or none

 private:
  LayerStack stack_;
};
using TransformerEncoder = TransformerStack<TransformerEncoderLayer>;
using TransformerDecoder = TransformerStack<TransformerDecoderLayer>;

}  // namespace nn
}  // namespace gyre
