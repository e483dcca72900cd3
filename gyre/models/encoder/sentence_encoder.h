#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/base/system/file.h"
#include "gyre/models/encoder/pooling.h"
#include "gyre/models/encoder/text_encoder.h"

namespace gyre {

/// How texts become vectors.
struct EncodeOptions {
  Pooling pooling = Pooling::stated;
  bool normalize = false;
  int64_t max_tokens = 0, batch = 32;
};
GYRE_FIELDS(
    EncodeOptions,
    GYRE_FIELD(pooling,
               "vector of a text from the hidden states of its tokens: as the folder states (mean, "
               "if it does not), their mean, the first (cls), the last, the largest of each "
               "feature (max), or none: all hidden states"),
    GYRE_FIELD(normalize, "divide each vector by its length, even if the folder does not state so"),
    GYRE_FIELD(max_tokens,
               "cut texts to so many tokens; 0: texts longer than the encoder's positions, or than "
               "max_seq_length of the folder, are an error",
               .least = 0),
    GYRE_FIELD(batch, "texts a batch", .alias = "batch_size", .least = 1));

/// A text encoder with its tokenizer and what its folder states of vectors, as that of
/// sentence-transformers.
class SentenceEncoder {
 public:
  /// Errors of load_text_encoder(), stated_vectors() and load_tokenizer().
  explicit SentenceEncoder(const std::string& folder, FileAccess access = FileAccess::map);
  ~SentenceEncoder();

  [[nodiscard]] TextEncoder& model() const { return *model_; }
  [[nodiscard]] const StatedVectors& stated() const { return stated_; }
  /// Largest number of tokens of a text that is not cut: as the folder states, or all positions.
  [[nodiscard]] int64_t context() const;
  /// Whether the folder has a tokenizer.json.
  [[nodiscard]] bool has_tokenizer() const { return tokenizer_ != nullptr; }

  /// The ids of texts. Error{value} naming the line, counted from 1, of a text that it cannot
  /// represent, and without a tokenizer.
  [[nodiscard]] std::vector<std::vector<int32_t>> ids_of(std::span<const std::string> texts,
                                                         int64_t max_tokens = 0) const;
  /// Vectors [texts, width] f32 of texts given as ids; without pooling hidden states [texts, most
  /// tokens, width], 0 after the last token of a text. Texts of about the same length are computed
  /// together. Calls `done(texts so far)`. Error{value} naming the line, counted from 1, of a text
  /// without tokens, or with more than the encoder has positions or, unless `max_tokens` cuts it,
  /// than the folder states; for `normalize` without pooling. Error{index} likewise for an id
  /// outside the vocabulary.
  [[nodiscard]] Tensor vectors(
      std::span<const std::vector<int32_t>> texts, const EncodeOptions& options = {},
      FunctionRef<void(int64_t)> done = [](int64_t) {}) const;

 private:
  StatedVectors stated_;
  std::unique_ptr<TextEncoder> model_;
  std::unique_ptr<class Tokenizer> tokenizer_;
};

}  // namespace gyre
