#pragma once
#include <limits>
#include <memory>
#include <string_view>

#include "gyre/data/token_batches.h"
#include "gyre/models/files/model_tokenizer.h"
#include "gyre/models/generation/generate.h"
#include "gyre/models/language_model.h"
#include "gyre/models/train_options.h"
#include "gyre/text/tokenizer.h"
#include "gyre/train/trainer.h"

namespace gyre {

/// Training of a language model on text. Training batches are drawn with the options' seed,
/// validation batches with seed 1000, so that all runs are measured on the same ones.
class TextTask final : public TrainTask {
 public:
  /// Error{value} if a part is shorter than a block; an empty validation part is not measured.
  TextTask(const TrainOptions& options, std::unique_ptr<Tokenizer> tokenizer,
           std::unique_ptr<LanguageModel> model, std::string_view training,
           std::string_view validation);
  /// On token files of that tokenizer; `validation` may be null. The bytes of their text are
  /// unknown, so bits per byte are too. Errors of TokenBatches.
  TextTask(const TrainOptions& options, std::unique_ptr<Tokenizer> tokenizer,
           std::unique_ptr<LanguageModel> model, std::shared_ptr<const TokenFile> training,
           std::shared_ptr<const TokenFile> validation);

  nn::Module& model() override { return *model_; }
  Batch batch(int64_t number) override;
  BatchLoss loss(const Batch& batch) override;
  int64_t tokens_per_batch() const override { return batch_ * block_; }
  std::optional<Validation> validate(TrainSink& sink) override;
  std::string sample(int64_t step) override;
  nn::MatrixRoles matrix_roles() const override { return model_->matrix_roles(); }
  void save(const std::string& folder) override;
  void load(const std::string& folder) override;

  /// Files that save() writes beside the tokenizer.json.
  void carry(std::vector<TokenizerFile> files) { carried_ = std::move(files); }

  const Tokenizer& tokenizer() const { return *tokenizer_; }
  int64_t training_tokens() const { return training_.tokens(); }

  /// What errors call a part that is too short, and what else to change then.
  struct PartName {
    const char *name, *remedy;
  };

 private:
  TokenBatches batches_of_file(std::shared_ptr<const TokenFile> file, uint64_t seed,
                               const PartName& part) const;

  std::unique_ptr<Tokenizer> tokenizer_;
  std::vector<TokenizerFile> carried_;
  std::unique_ptr<LanguageModel> model_;
  int64_t batch_, block_, eval_batches_;
  GenerateOptions sample_;
  TokenBatches training_;
  std::unique_ptr<TokenBatches> validation_;
  double tokens_per_byte_ = std::numeric_limits<double>::quiet_NaN();  // of the validation part
};

}  // namespace gyre
