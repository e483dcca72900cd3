#pragma once
#include <memory>

#include "gyre/models/language_model.h"
#include "gyre/models/train_options.h"

// Builds the language model that `gyre train` trains on text, from its options.

namespace gyre {

/// Those of the model that a run trains: of the checkpoint that it resumes from, or the run's own,
/// which are those of the model in `init` (start_model()); a new model has no vocabulary yet.
/// Errors of load_language_model().
DecoderOptions text_model_options(const TrainOptions& options, const std::string& checkpoint);

/// With initial weights of the options' seed or those of `init`, or without values for a run that
/// resumes. Errors of require_packable().
std::unique_ptr<LanguageModel> make_text_model(const TrainOptions& options,
                                               const DecoderOptions& model);

/// Tokens of each sequence of a batch: `sequence_length`, or the model's context.
int64_t sequence_length(const TrainOptions& options);

/// Error{value} if `packed` is set and packs none of the weights of a new model with that
/// vocabulary.
void require_packable(const TrainOptions& options, int64_t vocab);

/// "transformer of 4 layers, 4 heads, width 128, block 64", where block is sequence_length().
std::string describe_text_model(const TrainOptions& options);

/// Error{value} for sizes that do not fit together.
void check_text_model(const TrainOptions& options);

/// Peak bytes of tensors in such a run, a lower bound for every optimiser: the weights, and the
/// larger of gradients and one batch's activations.
double training_bytes(const TrainOptions& options, const DecoderOptions& model);

/// Error{resource} if that exceeds the machine's memory.
void require_memory(const TrainOptions& options, const DecoderOptions& model);

}  // namespace gyre
