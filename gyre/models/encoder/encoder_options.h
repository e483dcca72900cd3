#pragma once
#include <string>
#include <vector>

#include "gyre/models/decoder/decoder_options.h"

namespace gyre {

/// Options of a text encoder. The defaults are those of BERT.
struct EncoderOptions {
  int64_t vocab = 0, block_size = 512, layers = 12, heads = 12, width = 768, inner = 3072;
  int64_t head_size = 0, token_types = 2, padding = -1;
  Activation activation = Activation::gelu;
  bool gated = false, norm_first = false, separate = true;
  bool attention_bias = true, mlp_bias = true, norm_bias = true;
  double eps = 1e-12;
  Positions positions = Positions::learned;
  double rope_base = 10000, window_rope_base = 0;
  int64_t window = 0;
  std::vector<std::string> layer_types{};

  /// Those of attention, MLP and norms of layer i; `bias` is that of norms.
  [[nodiscard]] DecoderOptions of_layer(int64_t i) const;
  /// Largest number of tokens of a text.
  [[nodiscard]] int64_t context() const { return block_size - (padding + 1); }
};
GYRE_FIELDS(
    EncoderOptions, GYRE_FIELD(vocab, "vocabulary size", .alias = "vocab_size", .least = 1),
    GYRE_FIELD(block_size, "positions", .alias = "max_position_embeddings", .least = 1),
    GYRE_FIELD(layers, "transformer blocks", .alias = "num_hidden_layers", .least = 1,
               .most = nn::kMostLayers),
    GYRE_FIELD(width, "model width (embedding size)", .alias = "hidden_size", .least = 1),
    GYRE_FIELD(heads, "attention heads per block", .alias = "num_attention_heads", .least = 1),
    GYRE_FIELD(inner, "hidden size of the MLP", .alias = "intermediate_size", .least = 1),
    GYRE_FIELD(head_size, "size of a head; 0: width / heads", .alias = "head_dim", .least = 0),
    GYRE_FIELD(token_types, "token types (segments); 0: none", .alias = "type_vocab_size",
               .least = 0),
    GYRE_FIELD(padding,
               "id of the padding token, after which positions begin, as in RoBERTa; -1: they "
               "begin at 0",
               .least = -1),
    GYRE_FIELD(activation, "activation function of the MLP"),
    GYRE_FIELD(gated, "gated MLP: activation(gate(x)) * up(x)"),
    GYRE_FIELD(norm_first,
               "normalise the inputs of attention and MLP (pre-norm), but not that of the first "
               "attention, instead of the sums"),
    GYRE_FIELD(separate, "queries, keys and values have weights of their own"),
    GYRE_FIELD(attention_bias, "use biases in attention"),
    GYRE_FIELD(mlp_bias, "use biases in the MLP"), GYRE_FIELD(norm_bias, "use biases in norms"),
    GYRE_FIELD(eps, "epsilon of the norms", .alias = "layer_norm_eps", .above = 0),
    GYRE_FIELD(positions, "learned position embedding, rotary embedding (RoPE), or none"),
    GYRE_FIELD(rope_base, "base of the rotary frequencies", .alias = "rope_theta", .above = 0),
    GYRE_FIELD(window_rope_base, "rope_base of layers with a window; 0: rope_base", .least = 0),
    GYRE_FIELD(window, "a token attends to those at a smaller distance, both ways; 0: to all",
               .least = 0),
    GYRE_FIELD(layer_types, "for each layer full or window; none: all alike", .tags = kCommas));

/// Error{value} of `op` for options out of range, sizes that do not fit together, or a `padding`
/// that leaves no positions.
void check_encoder(const char* op, const EncoderOptions& options);

}  // namespace gyre
