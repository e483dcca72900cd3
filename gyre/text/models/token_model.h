#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "gyre/io/json.h"
#include "gyre/text/stages/stage_fields.h"
#include "gyre/text/vocabulary.h"

namespace gyre {

/// Turns pieces of text into tokens of a vocabulary, as a `model` of Hugging Face's tokenizers
/// does.
class TokenModel {
 public:
  virtual ~TokenModel() = default;
  /// Appends the ids of a piece that is not empty. Thread-safe. Error{value} for text that the
  /// vocabulary cannot represent where the model has no token for unknown text.
  virtual void encode(std::string_view piece, std::vector<int32_t>& ids) const = 0;
  /// The model as `tokenizer.json` has it.
  [[nodiscard]] virtual Json to_json() const = 0;
};
using TokenModelPtr = std::unique_ptr<const TokenModel>;

/// Tokens by id, empty for unused ids; the first are those of the model.
using TokenList = std::vector<std::string>;

/// Reads a model and its tokens; `vocabulary` holds them as long as the model lives, and more may
/// be in it (added tokens). Errors: those of StageFields; Error{parse} for a damaged vocabulary.
[[nodiscard]] TokenList read_token_list(const Json& model);
[[nodiscard]] TokenModelPtr read_token_model(const Json& model, const Vocabulary& vocabulary);

/// The tokens of a model: the first of a vocabulary that also has added ones.
class ModelVocabulary {
 public:
  ModelVocabulary(const Vocabulary& all, int32_t count) : all_(&all), count_(count) {}
  [[nodiscard]] int32_t size() const { return count_; }
  /// -1 if the model has no such token.
  [[nodiscard]] int32_t id(std::string_view token) const {
    const int32_t found = all_->id(token);
    return found < count_ ? found : -1;
  }
  [[nodiscard]] const std::string& token(int32_t id) const { return all_->token(id); }
  [[nodiscard]] const Vocabulary& all() const { return *all_; }
  /// An object of ids by token.
  [[nodiscard]] Json to_json() const;

 private:
  const Vocabulary* all_;
  int32_t count_;
};

// Each reads the model of its type.
struct ModelSource {
  StageFields& fields;
  ModelVocabulary vocabulary;
};
/// A list of ids of tokens of the model; empty if the key is missing. Error{value} for other ids.
[[nodiscard]] std::vector<int32_t> read_ids(const ModelSource& source, std::string_view key);
[[nodiscard]] Json ids_to_json(const std::vector<int32_t>& ids);

TokenModelPtr read_bpe_model(const ModelSource& source);
TokenModelPtr read_word_piece(const ModelSource& source);
TokenModelPtr read_word_level(const ModelSource& source);
TokenModelPtr read_unigram(const ModelSource& source);

}  // namespace gyre
