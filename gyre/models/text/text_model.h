#pragma once
#include <memory>

#include "gyre/models/language_model.h"
#include "gyre/models/train_options.h"

// Builds the language model that `gyre train` trains on text, from its options.

namespace gyre {

/// With initial weights of the options' seed, or without values for a run that resumes. Errors of
/// require_packable().
std::unique_ptr<LanguageModel> make_text_model(const TrainOptions& options, int64_t vocab);

/// Error{value} if `packed` is set and packs none of the weights of a new model with that
/// vocabulary.
void require_packable(const TrainOptions& options, int64_t vocab);

/// "transformer of 4 layers, 4 heads, width 128, block 64".
std::string describe_text_model(const TrainOptions& options);

/// Error{value} for sizes that do not fit together.
void check_text_model(const TrainOptions& options);

/// Peak bytes of tensors in such a run, a lower bound for every optimiser: the weights, and the
/// larger of gradients and one batch's activations.
double training_bytes(const TrainOptions& options, int64_t vocab);

/// Error{resource} if that exceeds the machine's memory.
void require_memory(const TrainOptions& options, int64_t vocab);

}  // namespace gyre
