#pragma once
#include "gyre/base/record_part.h"
#include "gyre/nn/op_layers.h"

namespace gyre {

/// Normalisation of a decoder's activations.
enum class NormKind : uint8_t { layer, rms };
inline constexpr const char* kNormKindNames[] = {"layer", "rms"};
template <>
inline constexpr std::span<const char* const> kChoices<NormKind> = kNormKindNames;

/// Where a block normalises: the input of attention and MLP (pre-norm), their output, or both.
enum class NormPlace : uint8_t { before, after, both };
inline constexpr const char* kNormPlaceNames[] = {"before", "after", "both"};
template <>
inline constexpr std::span<const char* const> kChoices<NormPlace> = kNormPlaceNames;

/// RMS normalisation of each query and key head: none, without or with learned weights.
enum class HeadNorm : uint8_t { none, plain, weighted };
inline constexpr const char* kHeadNormNames[] = {"none", "plain", "weighted"};
template <>
inline constexpr std::span<const char* const> kChoices<HeadNorm> = kHeadNormNames;

/// How a decoder knows positions: a learned embedding, rotary embedding of queries and keys, or by
/// the causal mask only.
enum class Positions : uint8_t { learned, rotary, none };
inline constexpr const char* kPositionsNames[] = {"learned", "rotary", "none"};
template <>
inline constexpr std::span<const char* const> kChoices<Positions> = kPositionsNames;

/// Options of a decoder-only transformer. The defaults are those of the smallest GPT-2.
struct DecoderOptions {
  int64_t vocab = 0, block_size = 1024, layers = 12, heads = 12, width = 768, inner = 0;
  bool bias = true;
  Activation activation = Activation::gelu_tanh;
  bool tie_embeddings = true;
  double dropout = 0, eps = 1e-5;
  Positions positions = Positions::learned;
  double rope_base = 10000;
  NormKind norm = NormKind::layer;
  NormPlace norm_place = NormPlace::before;
  bool norm_embeddings = false;
  HeadNorm head_norm = HeadNorm::none;
  bool gated = false;
  int64_t kv_heads = 0, head_size = 0, window = 0;

  [[nodiscard]] int64_t inner_size() const { return inner ? inner : 4 * width; }
  [[nodiscard]] int64_t size_of_head() const { return head_size ? head_size : width / heads; }
  [[nodiscard]] int64_t key_heads() const { return kv_heads ? kv_heads : heads; }
};
GYRE_FIELDS(
    DecoderOptions, GYRE_FIELD(vocab, "vocabulary size", .alias = "vocab_size", .least = 1),
    GYRE_FIELD(block_size, "context length in tokens", .alias = "block,context_length,n_positions",
               .least = 1),
    GYRE_FIELD(layers, "transformer blocks", .alias = "num_layers,n_layer", .least = 1,
               .most = nn::kMostLayers),
    GYRE_FIELD(width, "model width (embedding size); divisible by heads",
               .alias = "embed_dim,d_model,n_embd,hidden_size", .least = 1),
    GYRE_FIELD(heads, "attention heads per block", .alias = "num_heads,n_head,nhead", .least = 1),
    GYRE_FIELD(inner, "hidden size of the MLP; 0: 4 * width", .alias = "dim_feedforward,n_inner",
               .least = 0),
    GYRE_FIELD(bias, "use biases in linear layers and norms"),
    GYRE_FIELD(activation, "activation function of the MLP"),
    GYRE_FIELD(tie_embeddings, "tie the output layer to the token embedding",
               .alias = "tied,tie_word_embeddings"),
    GYRE_FIELD(dropout, "dropout probability", .least = 0, .below = 1),
    GYRE_FIELD(eps, "epsilon of the norms", .alias = "layer_norm_eps,rms_norm_eps", .above = 0),
    GYRE_FIELD(positions, "learned position embedding, rotary embedding (RoPE), or none"),
    GYRE_FIELD(rope_base, "base of the rotary frequencies", .alias = "rope_theta", .above = 0),
    GYRE_FIELD(norm, "LayerNorm or RMSNorm"),
    GYRE_FIELD(norm_place, "normalise the input of attention and MLP, their output, or both"),
    GYRE_FIELD(norm_embeddings, "normalise the embedded tokens"),
    GYRE_FIELD(head_norm,
               "RMS normalisation of each query and key head (QK norm): none, plain (no weights) "
               "or weighted",
               .alias = "qk_norm"),
    GYRE_FIELD(gated, "gated MLP: activation(gate(x)) * up(x); with silu: SwiGLU"),
    GYRE_FIELD(kv_heads,
               "key and value heads (grouped-query attention); must divide heads; 0: heads",
               .alias = "num_key_value_heads", .least = 0),
    GYRE_FIELD(head_size, "size of a head; 0: width / heads", .alias = "head_dim", .least = 0),
    GYRE_FIELD(window, "sliding window of attention in tokens; 0: off", .alias = "sliding_window",
               .least = 0));

/// Options of attention alone.
struct AttentionOptions {
  DecoderOptions decoder{.heads = 1, .width = 0};
  operator const DecoderOptions&() const { return decoder; }
};
GYRE_RECORD(AttentionOptions,
            GYRE_PART(decoder, .except = "vocab,block_size,layers,inner,activation,tie_embeddings,"
                                         "norm,norm_place,norm_embeddings,gated"));

/// Options of the MLP alone.
struct MlpOptions {
  DecoderOptions decoder{.heads = 1, .width = 0};
  operator const DecoderOptions&() const { return decoder; }
};
GYRE_RECORD(MlpOptions,
            GYRE_PART(decoder, .except = "vocab,block_size,layers,heads,tie_embeddings,eps,"
                                         "positions,rope_base,norm,norm_place,norm_embeddings,"
                                         "head_norm,kv_heads,head_size,window"));

/// Options of one block.
struct TransformerBlockOptions {
  DecoderOptions decoder{.heads = 1, .width = 0};
  operator const DecoderOptions&() const { return decoder; }
};
GYRE_RECORD(TransformerBlockOptions,
            GYRE_PART(decoder, .except = "vocab,block_size,layers,tie_embeddings,norm_embeddings"));

/// Options that GPT-2 has, and its files hold.
struct GptOptions {
  DecoderOptions decoder{};
  operator const DecoderOptions&() const { return decoder; }
};
GYRE_RECORD(GptOptions,
            GYRE_PART(decoder, .except = "positions,rope_base,norm,norm_place,norm_embeddings,"
                                         "head_norm,gated,kv_heads,head_size,window"));

/// Error{value} of `op` for sizes that do not fit together.
void check_heads(const char* op, const DecoderOptions& options);

/// Whether all options outside `record`, a part of DecoderOptions, have their default or a value
/// that means the same.
bool only_uses(const Record& record, const DecoderOptions& options);

}  // namespace gyre
