#pragma once
#include <vector>

#include "gyre/io/json.h"
#include "gyre/models/decoder/rope_scaling.h"
#include "gyre/models/decoder/transformer_block.h"
#include "gyre/models/language_model.h"
#include "gyre/nn/embedding.h"
#include "gyre/nn/init.h"
#include "gyre/nn/layer_stack.h"

namespace gyre {

struct Architecture;

/// Number of trainable parameters; a double, so absurdly large sizes do not overflow.
double parameter_count(const DecoderOptions& options);

/// Number of activations held, besides parameters and their state, when backward of the loss of
/// `batch` sequences of `block_size` tokens begins; a lower bound. Per token and layer 4 width
/// (input, two norms, first residual sum), queries and attention, keys and values, and 2 inner (1
/// for relu, whose backward needs only its result), then 2 vocab (logits and their gradient). With
/// gradient checkpointing every n layers, width for each n of them, and the larger of 2 vocab and
/// what n layers hold.
double activation_count(const DecoderOptions& options, int64_t batch, int64_t checkpoint_every = 0);

/// A decoder-only transformer: token embeddings, blocks, a final norm and next-token logits. With
/// the default options GPT-2 (Radford et al. 2019). Parameter names are those of GPT-2, `ln_0` is
/// the norm of embeddings; linear weights are [out, in]. Folders are written in the first format of
/// models/architectures.def that holds the options.
class Decoder : public LanguageModel {
 public:
  /// Initial weights N(0, 0.02), c_proj N(0, 0.02 / sqrt(2 layers)), biases 0, norms 1, drawn from
  /// `generator` (the thread's if null). Error{value} for inconsistent sizes.
  explicit Decoder(const DecoderOptions& options, Generator* generator = nullptr);
  /// Without values, for weights that are loaded next. Error{value} as above.
  Decoder(const DecoderOptions& options, const nn::Unfilled& scope);

  [[nodiscard]] int64_t vocab() const override { return options_.vocab; }
  [[nodiscard]] int64_t context() const override { return options_.block_size; }
  Tensor operator()(const Tensor& tokens) const override { return in_batch(tokens, 0); }
  [[nodiscard]] Tensor in_batch(const Tensor& tokens, int64_t longest) const override;
  /// tokens to logits.
  Tensors forward(Inputs inputs) const override;
  [[nodiscard]] TokenCache cache(int64_t rows, CacheDType dtype = CacheDType::model) const override;
  [[nodiscard]] int64_t reach(int64_t length) const override {
    return rope_reach(options_, length);
  }
  [[nodiscard]] Attrs layer_options() const override { return box(options_); }
  [[nodiscard]] std::unique_ptr<LanguageModel> share() const override {
    return std::make_unique<Decoder>(*this);
  }
  void save(const std::string& folder, const Tokenizer* tokenizer) override;
  uint64_t saved_bytes() override;
  void load(const std::string& folder) override;
  [[nodiscard]] nn::MatrixRoles matrix_roles() const override;
  void visit(nn::Visitor& visitor) override;
  [[nodiscard]] const DecoderOptions& options() const { return options_; }
  /// How folders hold it: as the one that it was loaded from, else the first of architectures.def
  /// that holds its options.
  [[nodiscard]] const Architecture& architecture() const;
  [[nodiscard]] std::span<const int32_t> end_tokens() const override { return end_tokens_; }
  /// Takes the architecture and the ids of special tokens that a folder's config.json names, which
  /// save() writes again, and its generation_config.json, whose end tokens replace those of
  /// config.json. Error{parse}.
  void remember(const Architecture& architecture, const Json& config, const std::string& folder);
  [[nodiscard]] const Json& special_tokens() const { return special_tokens_; }
  [[nodiscard]] const Json& generation_config() const override { return generation_config_; }

  /// Gradient checkpointing of the blocks.
  nn::LayerStack stack;

  nn::Embedding wte;
  std::vector<nn::Embedding> wpe;  ///< one, or none without learned positions
  nn::Norm ln_0;
  std::vector<nn::TransformerBlock> h;
  nn::Norm ln_f;
  std::vector<nn::Linear> lm_head;  ///< one, or none if the embeddings are tied

 protected:
  [[nodiscard]] Tensor last_logits(const Tensor& tokens, const TokenCache& cache,
                                   int64_t count) const override;

 private:
  void initialise(Generator& generator);
  Tensor embedded(const Tensor& tokens, const Tensor& places) const;
  Tensor logits(const Tensor& hidden) const;

  DecoderOptions options_;
  const Architecture* architecture_ = nullptr;
  Json special_tokens_ = Json::object(), generation_config_ = Json::object();
  std::vector<int32_t> end_tokens_;
  nn::Dropout dropout_;
};

}  // namespace gyre
