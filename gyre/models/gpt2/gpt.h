#pragma once
#include <vector>

#include "gyre/autograd/checkpoint.h"
#include "gyre/models/gpt2/transformer_block.h"
#include "gyre/nn/embedding.h"

namespace gyre {

struct GptOptions {
  int64_t vocab = 0, block = 1024, layers = 12, heads = 12, width = 768, inner = 0;
  bool bias = true;
  Activation activation = Activation::gelu_tanh;
  bool tied = true;
  double dropout = 0, eps = 1e-5;
};
GYRE_FIELDS(GptOptions, GYRE_FIELD(vocab, "tokens there are"),
            GYRE_FIELD(block, "tokens that the model sees at most"),
            GYRE_FIELD(layers, "transformer blocks"), GYRE_FIELD(heads, "attention heads a block"),
            GYRE_FIELD(width, "numbers a token, a multiple of heads"),
            GYRE_FIELD(inner, "numbers a token inside the MLP; 0: 4 width"),
            GYRE_FIELD(bias, "linear layers and norms have biases"),
            GYRE_FIELD(activation, "of the MLP"),
            GYRE_FIELD(tied, "the output layer shares the token table"),
            GYRE_FIELD(dropout, "share of values dropped in training"),
            GYRE_FIELD(eps, "of the norms"));

/// Numbers that a Gpt learns; too large for an integer, they are still about right.
double parameter_count(const GptOptions& options);

/// Numbers that there are, besides parameters and what belongs to them, when backward of the loss
/// of `batch` sequences of `block` tokens begins; an estimate from below. A token has in every
/// layer 8 width (what enters, two norms, query, key, value, attention, the first sum) and 2 inner
/// (1 for relu, whose result is all that backward needs), and then 2 vocab (logits and their
/// gradient).
double activation_count(const GptOptions& options, int64_t batch);

/// What a Gpt remembers of the tokens it has seen.
struct GptCache {
  std::vector<nn::KeyValueCache> layers;
  [[nodiscard]] int64_t length() const { return layers.empty() ? 0 : layers[0].length; }
  /// Forgets all, keeps the memory.
  void clear() {
    for (nn::KeyValueCache& layer : layers) layer.length = 0;
  }
};

/// GPT-2 (Radford et al. 2019): token and position tables, transformer blocks, a norm, and logits
/// of the next token. Names are those of GPT-2, linear weights lie [out, in].
class Gpt : public nn::Module {
 public:
  /// Weights N(0, 0.02), c_proj ones N(0, 0.02 / sqrt(2 layers)), biases 0, norms 1, from
  /// `generator` (the thread's when null). Error{value} for sizes that do not fit.
  explicit Gpt(const GptOptions& options, Generator* generator = nullptr);

  /// Logits [batch, tokens, vocab] for i32 or i64 tokens [batch, tokens]. Error{value} for more
  /// tokens than `block`, Error{index} for one that is not in the vocabulary.
  Tensor operator()(const Tensor& tokens) const;
  /// Mean cross entropy against the tokens that follow, nats a token.
  Tensor loss(const Tensor& tokens, const Tensor& targets) const;

  /// A cache for one sequence of up to `block` tokens.
  [[nodiscard]] GptCache cache() const;
  /// Logits [vocab] after the last of `tokens` [1, n], which follow those in the cache. Not
  /// recorded. Errors as above, which leave the cache as it was.
  Tensor next(const Tensor& tokens, GptCache& cache) const;

  void visit(nn::Visitor& visitor) override;
  [[nodiscard]] const GptOptions& options() const { return options_; }

  /// If set, blocks are checkpoints that share it: what does not fit in is made again by backward.
  Ref<CheckpointBudget> checkpoints;

  nn::Embedding wte, wpe;
  std::vector<nn::TransformerBlock> h;
  nn::LayerNorm ln_f;
  std::vector<nn::Linear> lm_head;  ///< one, or none when tied

 private:
  void initialise(Generator* generator);
  Tensor embed(const Tensor& tokens, int64_t first) const;
  Tensor logits(const Tensor& hidden) const;

  GptOptions options_;
  nn::Dropout dropout_;
};

}  // namespace gyre
