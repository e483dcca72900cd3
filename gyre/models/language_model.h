#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gyre/base/system/file.h"
#include "gyre/models/token_cache.h"
#include "gyre/nn/matrix_roles.h"
#include "gyre/nn/module.h"
#include "gyre/op/attrs.h"

namespace gyre {

class Json;
class Tokenizer;

/// A causal language model: what text generation, training on text and `gyre logits` need.
class LanguageModel : public nn::Module {
 public:
  [[nodiscard]] virtual int64_t vocab() const = 0;
  /// Context length in tokens.
  [[nodiscard]] virtual int64_t context() const = 0;

  /// Ids of tokens after which a text is complete; may be empty.
  [[nodiscard]] virtual std::span<const int32_t> end_tokens() const { return {}; }
  /// The content of the folder's generation_config.json; an empty object if there is none.
  [[nodiscard]] virtual const Json& generation_config() const;

  /// Logits [rows, tokens, vocab] of i32 or i64 tokens [rows, tokens]. Error{value} for more tokens
  /// than the context length, Error{index} for a token outside the vocabulary.
  virtual Tensor operator()(const Tensor& tokens) const = 0;
  /// The same as transformers gives them in a padded batch whose longest row has `longest` tokens:
  /// of models with reach(), all its rows have the rotary frequencies of the longest.
  [[nodiscard]] virtual Tensor in_batch(const Tensor& tokens, int64_t /*longest*/) const {
    return (*this)(tokens);
  }
  /// Mean cross-entropy of the next tokens, in nats per token.
  Tensor loss(const Tensor& tokens, const Tensor& targets) const;

  /// A cache for `rows` sequences, which grows up to the context length.
  [[nodiscard]] virtual TokenCache cache(int64_t rows,
                                         CacheDType dtype = CacheDType::model) const = 0;
  /// Logits [rows, vocab] after the last of `tokens` [rows, n], which follow those in the cache.
  /// Long inputs are computed in chunks. Not recorded. Errors as above; they leave the cache
  /// unchanged, or empty if its layers with a window cannot take the tokens back.
  Tensor next(const Tensor& tokens, TokenCache& cache) const;
  /// As next(), after each of the last `count` tokens: [rows, count, vocab].
  Tensor next(const Tensor& tokens, TokenCache& cache, int64_t count) const;
  /// The longest row whose states, at the same tokens, are those of a row of `length` tokens. With
  /// rotary frequencies that depend on the length of the text, a row that grows beyond it is
  /// computed again from its first token, so logits always are those of operator() for the row.
  [[nodiscard]] virtual int64_t reach(int64_t /*length*/) const { return context(); }

  /// The options of the layer that makes such a model (nn::LayerTable::of).
  [[nodiscard]] virtual Attrs layer_options() const = 0;
  /// A copy that shares the weights.
  [[nodiscard]] virtual std::unique_ptr<LanguageModel> share() const = 0;
  /// Writes a folder, creating it, in the first format of architectures.def that holds the options:
  /// config.json, model.safetensors and, unless the tokenizer is null, tokenizer.json. Equal
  /// models give equal bytes. Error{io}.
  virtual void save(const std::string& folder, const Tokenizer* tokenizer) = 0;
  /// The length of the model.safetensors that save() would write.
  virtual uint64_t saved_bytes() = 0;
  /// Loads weights from such a folder of a model with the same options.
  virtual void load(const std::string& folder) = 0;
  [[nodiscard]] virtual nn::MatrixRoles matrix_roles() const = 0;

 protected:
  /// Error{shape} unless tokens are [rows, n]; Error{value} if, with `before` tokens, they exceed
  /// the context length.
  void check_tokens(const Tensor& tokens, int64_t before) const;
  /// The logits of next() for tokens that fit in and that the cache counts already.
  [[nodiscard]] virtual Tensor last_logits(const Tensor& tokens, const TokenCache& cache,
                                           int64_t count) const = 0;

 private:
  Tensor append(const Tensor& tokens, TokenCache& cache, int64_t count) const;
  Tensor append_by_reach(const Tensor& tokens, TokenCache& cache, int64_t count) const;
};

/// Loads the model of a folder in a format of architectures.def, of a .gguf file or of a .bin file
/// of llama2.c; with FileAccess::map its weights stay in the mapped file.
/// Error{io, parse}; errors of open_model_files(); Error{unsupported} for a model_type that is not
/// in models/architectures.def;
/// Error{value} for a folder of `gyre predict` or an embedding; errors of the architecture.
std::unique_ptr<LanguageModel> load_language_model(const std::string& folder,
                                                   FileAccess access = FileAccess::read);

struct PackedUseOptions;
/// Whether activations are to be rounded to 8 bits, for which the model is called with one token.
/// Error{value} naming the option if it changes nothing.
bool wants_int8(const PackedUseOptions& options, const LanguageModel& model);

/// Copies weights that are views of other strides: single rows of activations, as in text
/// generation, are multiplied faster by contiguous ones. Those that lay in a mapped file, and were
/// not written to, no longer occupy memory there.
void make_weights_contiguous(nn::Module& model);

}  // namespace gyre
