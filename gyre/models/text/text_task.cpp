#include "gyre/models/text/text_task.h"

#include <algorithm>
#include <numbers>

#include "gyre/base/error.h"
#include "gyre/models/text/text_model.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"

namespace gyre {
namespace {

constexpr uint64_t kValidationSeed = 1000;

constexpr TextTask::PartName kTrainingPart{"training part", ", or a smaller `val_fraction`"};
constexpr TextTask::PartName kValidationPart{"validation part",
                                             ", or a larger `val_fraction` (0: no validation)"};

// Of one file of tokens, or of two.
TextTask::PartName part_of_files(const TrainOptions& o, const TextTask::PartName& part,
                                 const char* file) {
  return o.data.sources.size() > 1 ? TextTask::PartName{file, ""} : part;
}

GenerateOptions sampling(const TrainOptions& o) {
  const SampleOptions& sample = o.trainer.sample;
  return {.prompt = sample.prompt,
          .max_tokens = sample.tokens,
          .sampling = {.seed = o.trainer.run.seed}};
}

uint64_t seed_of(const TrainOptions& o) { return static_cast<uint64_t>(o.trainer.run.seed); }

// Checked at the start, not only when the first sample is due.
void check_prompt(const TrainOptions& o, const Tokenizer& tokenizer) {
  if (o.trainer.sample.every > 0)
    (void)tokenizer.encode(o.trainer.sample.prompt, Specials::as_tokens);
}

}  // namespace

TextTask::TextTask(const TrainOptions& o, std::unique_ptr<Tokenizer> tokenizer,
                   std::unique_ptr<LanguageModel> model, std::string_view training,
                   std::string_view validation)
    : tokenizer_(std::move(tokenizer)),
      model_(std::move(model)),
      batch_(o.trainer.batch.size),
      block_(sequence_length(o)),
      eval_batches_(o.text.eval_batches),
      sample_(sampling(o)),
      training_(tokenizer_->encode(training), batch_, block_, seed_of(o), kTrainingPart.name,
                "train", kTrainingPart.remedy) {
  check_prompt(o, *tokenizer_);
  if (validation.empty()) return;
  validation_ = std::make_unique<TokenBatches>(tokenizer_->encode(validation), batch_, block_,
                                               kValidationSeed, kValidationPart.name, "train",
                                               kValidationPart.remedy);
  tokens_per_byte_ =
      static_cast<double>(validation_->tokens()) / static_cast<double>(validation.size());
}

TextTask::TextTask(const TrainOptions& o, std::unique_ptr<Tokenizer> tokenizer,
                   std::unique_ptr<LanguageModel> model, std::shared_ptr<const TokenFile> training,
                   std::shared_ptr<const TokenFile> validation)
    : tokenizer_(std::move(tokenizer)),
      model_(std::move(model)),
      batch_(o.trainer.batch.size),
      block_(sequence_length(o)),
      eval_batches_(o.text.eval_batches),
      sample_(sampling(o)),
      training_(batches_of_file(std::move(training), seed_of(o),
                                part_of_files(o, kTrainingPart, "training file"))) {
  check_prompt(o, *tokenizer_);
  if (!validation) return;
  validation_ = std::make_unique<TokenBatches>(
      batches_of_file(std::move(validation), kValidationSeed,
                      part_of_files(o, kValidationPart, "validation file")));
}

TokenBatches TextTask::batches_of_file(std::shared_ptr<const TokenFile> file, uint64_t seed,
                                       const PartName& part) const {
  return TokenBatches(std::move(file), tokenizer_->vocab_size(), batch_, block_, seed, part.name,
                      "train", part.remedy);
}

Batch TextTask::batch(int64_t number) {
  TokenBatch batch = training_.at(number);
  return Batch({{"inputs", std::move(batch.inputs)}, {"targets", std::move(batch.targets)}});
}

BatchLoss TextTask::loss(const Batch& batch) {
  return {model_->loss(batch["inputs"], batch["targets"])};
}

std::optional<Validation> TextTask::validate(TrainSink& sink) {
  Validation result;
  result.measured = validation_ != nullptr;
  if (!result.measured) return result;
  NoGrad scope;
  double sum = 0;
  for (int64_t i = 0; i < eval_batches_; ++i) {
    if (sink.stop_wanted()) return {};
    TokenBatch batch = validation_->at(i);
    const Device device = model_->device();
    sum += model_->loss(on_device(batch.inputs, device), on_device(batch.targets, device)).item();
  }
  Figures& f = result.figures;
  f.loss = sum / static_cast<double>(eval_batches_);
  f.bits_per_byte = f.loss / std::numbers::ln2 * tokens_per_byte_;
  return result;
}

std::string TextTask::sample(int64_t step) {
  GenerateOptions options = sample_;
  options.sampling.seed += step;
  return generate(*model_, tokenizer_.get(), options, [](std::string_view) {}).text;
}

void TextTask::save(const std::string& folder) {
  model_->save(folder, tokenizer_.get());
  write_tokenizer_files(carried_, folder);
}

void TextTask::load(const std::string& folder) { model_->load(folder); }

}  // namespace gyre
