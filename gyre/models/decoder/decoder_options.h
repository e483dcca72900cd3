#pragma once
#include <string>
#include <vector>

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

/// RMS normalisation of each query and key head: none, without or with learned weights; or of all
/// heads of a token together.
enum class HeadNorm : uint8_t { none, plain, weighted, joint };
inline constexpr const char* kHeadNormNames[] = {"none", "plain", "weighted", "joint"};
template <>
inline constexpr std::span<const char* const> kChoices<HeadNorm> = kHeadNormNames;

/// How a decoder knows positions: a learned embedding, rotary embedding of queries and keys, or by
/// the causal mask only.
enum class Positions : uint8_t { learned, rotary, none };
inline constexpr const char* kPositionsNames[] = {"learned", "rotary", "none"};
template <>
inline constexpr std::span<const char* const> kChoices<Positions> = kPositionsNames;

/// Biases of attention's linear layers: as the option `bias` says, none, of queries, keys and
/// values only, or all.
enum class AttentionBias : uint8_t { as_bias, none, inputs, all };
inline constexpr const char* kAttentionBiasNames[] = {"as_bias", "none", "inputs", "all"};
template <>
inline constexpr std::span<const char* const> kChoices<AttentionBias> = kAttentionBiasNames;

/// How rotary frequencies are stretched for contexts longer than those of training; longrope and
/// dynamic choose them by the length of the text.
enum class RopeScaling : uint8_t { none, linear, llama3, yarn, longrope, dynamic };
inline constexpr const char* kRopeScalingNames[] = {"none", "linear",   "llama3",
                                                    "yarn", "longrope", "dynamic"};
template <>
inline constexpr std::span<const char* const> kChoices<RopeScaling> = kRopeScalingNames;

/// Tags what says how stored weights lie and not what the model is: weights that are read in place
/// have the value of their file, copies that of config.json.
inline constexpr uint32_t kOfLayout = uint32_t{1} << 25;

/// What some published models have besides.
struct DecoderDetails {
  bool separate = false;
  AttentionBias attention_bias = AttentionBias::as_bias;
  bool norm_offset = false;
  int64_t rotary_size = 0;
  RopeScaling rope_scaling = RopeScaling::none;
  double rope_factor = 1, rope_slow = 1, rope_fast = 4, rope_attention = 1;
  int64_t rope_original = 0;
  bool rope_truncate = true, rope_interleaved = false;
  std::vector<std::string> rope_short{}, rope_long{};
  std::vector<std::string> layer_types{};
  double window_rope_base = 0;
  double embedding_scale = 1, attention_scale = 0, residual_scale = 1, logit_scale = 1;
  double score_cap = 0, logit_cap = 0;
};
GYRE_FIELDS(
    DecoderDetails,
    GYRE_FIELD(separate, "queries, keys and values have weights of their own", .tags = kUnlisted),
    GYRE_FIELD(attention_bias, "biases of attention: as_bias, none, inputs or all",
               .tags = kUnlisted),
    GYRE_FIELD(norm_offset, "RMSNorm multiplies by 1 + weight", .tags = kUnlisted),
    GYRE_FIELD(rotary_size, "leading features of a head that are rotated; 0: all",
               .tags = kUnlisted, .least = 0),
    GYRE_FIELD(rope_scaling,
               "scaling of rotary frequencies: none, linear, llama3, yarn, longrope or dynamic",
               .tags = kUnlisted),
    GYRE_FIELD(rope_factor, "factor by which the context is longer than in training",
               .tags = kUnlisted, .above = 0),
    GYRE_FIELD(rope_slow,
               "turns within the original context below which a frequency is divided by the factor",
               .tags = kUnlisted, .above = 0),
    GYRE_FIELD(rope_fast, "turns within the original context above which a frequency is kept",
               .tags = kUnlisted, .above = 0),
    GYRE_FIELD(rope_attention, "factor of rotated queries and keys", .tags = kUnlisted, .above = 0),
    GYRE_FIELD(rope_original, "context length in training; 0: block_size", .tags = kUnlisted,
               .least = 0),
    GYRE_FIELD(rope_truncate, "yarn: whole numbers bound the frequencies between slow and fast",
               .tags = kUnlisted),
    GYRE_FIELD(rope_interleaved, "rotate neighbouring features instead of those half a head apart",
               .tags = kUnlisted | kOfLayout),
    GYRE_FIELD(rope_short,
               "longrope: what each frequency is divided by for texts up to the original context",
               .tags = kUnlisted | kCommas),
    GYRE_FIELD(rope_long, "longrope: what each frequency is divided by for longer texts",
               .tags = kUnlisted | kCommas),
    GYRE_FIELD(layer_types,
               "for each layer full, window, unrotated or window_unrotated; none: all alike",
               .tags = kUnlisted | kCommas),
    GYRE_FIELD(window_rope_base, "rope_base of layers with a window, unscaled; 0: rope_base",
               .tags = kUnlisted, .least = 0),
    GYRE_FIELD(embedding_scale, "factor of embedded tokens", .tags = kUnlisted),
    GYRE_FIELD(attention_scale, "factor of attention scores; 0: 1 / sqrt(head size)",
               .tags = kUnlisted, .least = 0),
    GYRE_FIELD(residual_scale, "factor of the outputs of attention and MLP", .tags = kUnlisted),
    GYRE_FIELD(logit_scale, "factor of the logits", .tags = kUnlisted),
    GYRE_FIELD(score_cap, "soft cap of attention scores; 0: none", .tags = kUnlisted, .least = 0),
    GYRE_FIELD(logit_cap, "soft cap of logits; 0: none", .tags = kUnlisted, .least = 0));

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
  DecoderDetails details{};

  [[nodiscard]] int64_t inner_size() const { return inner ? inner : 4 * width; }
  [[nodiscard]] int64_t size_of_head() const { return head_size ? head_size : width / heads; }
  [[nodiscard]] int64_t key_heads() const { return kv_heads ? kv_heads : heads; }
  [[nodiscard]] int64_t rotated() const {
    return details.rotary_size ? details.rotary_size : size_of_head();
  }
  /// Whether attention has biases: of its output, or of queries, keys and values.
  [[nodiscard]] bool attention_bias(bool of_output) const {
    const AttentionBias own = details.attention_bias;
    if (own == AttentionBias::as_bias) return bias;
    return own == AttentionBias::all || (own == AttentionBias::inputs && !of_output);
  }
  /// Those of layer i, according to its type.
  [[nodiscard]] DecoderOptions of_layer(int64_t i) const;
};
GYRE_RECORD(
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
               .least = 0),
    GYRE_PART(details));

/// Options of attention alone.
struct AttentionOptions {
  DecoderOptions decoder{.heads = 1, .width = 0};
  operator const DecoderOptions&() const { return decoder; }
};
GYRE_RECORD(AttentionOptions,
            GYRE_PART(decoder,
                      .except = "vocab,block_size,layers,inner,activation,tie_embeddings,"
                                "norm,norm_place,norm_embeddings,gated",
                      .without = kUnlisted));

/// Options of the MLP alone.
struct MlpOptions {
  DecoderOptions decoder{.heads = 1, .width = 0};
  operator const DecoderOptions&() const { return decoder; }
};
GYRE_RECORD(MlpOptions, GYRE_PART(decoder,
                                  .except = "vocab,block_size,layers,heads,tie_embeddings,eps,"
                                            "positions,rope_base,norm,norm_place,norm_embeddings,"
                                            "head_norm,kv_heads,head_size,window",
                                  .without = kUnlisted));

/// Options of one block.
struct TransformerBlockOptions {
  DecoderOptions decoder{.heads = 1, .width = 0};
  operator const DecoderOptions&() const { return decoder; }
};
GYRE_RECORD(TransformerBlockOptions,
            GYRE_PART(decoder, .except = "vocab,block_size,layers,tie_embeddings,norm_embeddings",
                      .without = kUnlisted));

/// Options that GPT-2 has, and its files hold.
struct GptOptions {
  DecoderOptions decoder{};
  operator const DecoderOptions&() const { return decoder; }
};
GYRE_RECORD(GptOptions, GYRE_PART(decoder,
                                  .except = "positions,rope_base,norm,norm_place,norm_embeddings,"
                                            "head_norm,gated,kv_heads,head_size,window",
                                  .without = kUnlisted));

/// Error{value} of `op` for sizes that do not fit together.
void check_heads(const char* op, const DecoderOptions& options);

/// Whether all options outside `record`, a part of DecoderOptions, have their default or a value
/// that means the same.
bool only_uses(const Record& record, const DecoderOptions& options);

}  // namespace gyre
