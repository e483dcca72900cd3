#pragma once
#include <vector>

#include "gyre/autograd/checkpoint.h"
#include "gyre/models/gpt2/transformer_block.h"
#include "gyre/models/language_model.h"
#include "gyre/nn/embedding.h"
#include "gyre/nn/init.h"

namespace gyre {

struct GptOptions {
  int64_t vocab = 0, block_size = 1024, layers = 12, heads = 12, width = 768, inner = 0;
  bool bias = true;
  Activation activation = Activation::gelu_tanh;
  bool tie_embeddings = true;
  double dropout = 0, eps = 1e-5;
};
GYRE_FIELDS(GptOptions, GYRE_FIELD(vocab, "vocabulary size", .alias = "vocab_size", .least = 1),
            GYRE_FIELD(block_size, "context length in tokens",
                       .alias = "block,context_length,n_positions", .least = 1),
            GYRE_FIELD(layers, "transformer blocks", .alias = "num_layers,n_layer", .least = 1,
                       .most = nn::kMostLayers),
            GYRE_FIELD(heads, "attention heads per block", .alias = "num_heads,n_head,nhead",
                       .least = 1),
            GYRE_FIELD(width, "model width (embedding size); divisible by heads",
                       .alias = "embed_dim,d_model,n_embd,hidden_size", .least = 1),
            GYRE_FIELD(inner, "hidden size of the MLP; 0: 4 * width",
                       .alias = "dim_feedforward,n_inner", .least = 0),
            GYRE_FIELD(bias, "use biases in linear layers and norms"),
            GYRE_FIELD(activation, "activation function of the MLP"),
            GYRE_FIELD(tie_embeddings, "tie the output layer to the token embedding",
                       .alias = "tied,tie_word_embeddings"),
            GYRE_FIELD(dropout, "dropout probability", .least = 0, .below = 1),
            GYRE_FIELD(eps, "epsilon of layer normalisation", .alias = "layer_norm_eps",
                       .above = 0));

/// Number of trainable parameters; a double, so absurdly large sizes do not overflow.
double parameter_count(const GptOptions& options);

/// Number of activations held, besides parameters and their state, when backward of the loss of
/// `batch` sequences of `block_size` tokens begins; a lower bound. Per token and layer 8 width
/// (input, two norms, query, key, value, attention, first residual sum) and 2 inner (1 for relu,
/// whose backward needs only its result), then 2 vocab (logits and their gradient).
double activation_count(const GptOptions& options, int64_t batch);

/// GPT-2 (Radford et al. 2019): token and position embeddings, transformer blocks, a final norm and
/// next-token logits. Parameter names are those of GPT-2; linear weights are [out, in].
class Gpt : public LanguageModel {
 public:
  /// Initial weights N(0, 0.02), c_proj N(0, 0.02 / sqrt(2 layers)), biases 0, norms 1, drawn from
  /// `generator` (the thread's if null). Error{value} for inconsistent sizes.
  explicit Gpt(const GptOptions& options, Generator* generator = nullptr);
  /// Without values, for weights that are loaded next. Error{value} as above.
  Gpt(const GptOptions& options, const nn::Unfilled& scope);

  [[nodiscard]] int64_t vocab() const override { return options_.vocab; }
  [[nodiscard]] int64_t context() const override { return options_.block_size; }
  Tensor operator()(const Tensor& tokens) const override;
  /// tokens to logits.
  Tensors forward(Inputs inputs) const override;
  [[nodiscard]] TokenCache cache(int64_t rows) const override;
  [[nodiscard]] Attrs layer_options() const override { return box(options_); }
  [[nodiscard]] std::unique_ptr<LanguageModel> share() const override {
    return std::make_unique<Gpt>(*this);
  }
  void save(const std::string& folder, const Tokenizer* tokenizer) override;
  void load(const std::string& folder) override;
  void visit(nn::Visitor& visitor) override;
  [[nodiscard]] const GptOptions& options() const { return options_; }

  /// If set, blocks share this budget of activation checkpointing: backward recomputes the rest.
  Ref<CheckpointBudget> checkpoints;

  nn::Embedding wte, wpe;
  std::vector<nn::TransformerBlock> h;
  nn::LayerNorm ln_f;
  std::vector<nn::Linear> lm_head;  ///< one, or none if the embeddings are tied

 protected:
  [[nodiscard]] Tensor last_logits(const Tensor& tokens, const TokenCache& cache) const override;

 private:
  void initialise(Generator& generator);
  Tensor logits(const Tensor& hidden) const;

  GptOptions options_;
  nn::Dropout dropout_;
};

}  // namespace gyre
