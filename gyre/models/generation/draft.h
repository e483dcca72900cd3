#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gyre/models/generation/cached_rows.h"

namespace gyre {

/// Guesses the next tokens of a text, which the model then checks in one step: speculative decoding
/// (Leviathan et al., 2023). A token is chosen from the model's own logits, and the guesses after
/// it count only if it equals the guess, so the text is the same as without.
class Draft {
 public:
  virtual ~Draft() = default;
  /// At most `most` guesses of the tokens after `text`; none if there is no good guess.
  virtual std::vector<int32_t> propose(std::span<const int32_t> text, size_t most) = 0;
  /// How many of the last proposal's guesses were right.
  virtual void accepted(size_t right) = 0;
};

/// Guesses that the text goes on as it did after an earlier occurrence of its last tokens (Saxena,
/// "Prompt Lookup Decoding", 2023). Guesses more after right guesses and less after wrong ones.
class NgramDraft final : public Draft {
 public:
  std::vector<int32_t> propose(std::span<const int32_t> text, size_t most) override;
  void accepted(size_t right) override;

 private:
  size_t length_ = 4, proposed_ = 0;
  size_t pause_ = 0, waiting_ = 0;  // texts without a guess after wrong guesses, and those left
};

/// Guesses the most likely tokens of a smaller model with the same tokens.
class ModelDraft final : public Draft {
 public:
  /// In eval mode.
  explicit ModelDraft(std::unique_ptr<LanguageModel> model);

  std::vector<int32_t> propose(std::span<const int32_t> text, size_t most) override;
  void accepted(size_t right) override;

 private:
  std::unique_ptr<LanguageModel> model_;
  CachedRows cache_;
  size_t length_ = 4, proposed_ = 0;
};

/// "ngram", or a model that load_language_model() opens; null for an empty name. Error{value} if
/// its vocabulary is not of size `vocab`; errors of load_language_model().
std::unique_ptr<Draft> make_draft(const std::string& name, int64_t vocab);

}  // namespace gyre
