#pragma once
#include <span>
#include <string>
#include <vector>

#include "gyre/models/files/model_tokenizer.h"
#include "gyre/models/train_options.h"

namespace gyre {

/// The model that a run on text starts from.
struct StartModel {
  std::string model_type{};  ///< in its config, also of a file with another layout of weights
  DecoderOptions options{};
  std::string tokenizer{};                 ///< path of its tokenizer.json, or of the one given
  std::vector<std::string> formats{};      ///< of its packed weights, without repetitions
  TrainedDType dtype = TrainedDType::f32;  ///< of the weights of a folder; of a file f32
};

/// The options of a copy of the model that load_language_model() opens at `path`: its own, with
/// those that say how its weights lie (kOfLayout) as in its config. Errors of
/// load_language_model().
DecoderOptions copied_options(const std::string& path);

/// The model in `init`, which fits to the options that were given. Error{value} naming an option
/// that contradicts it: a folder that is none, `model`, sizes, `packed`, `tokenizer`; errors of
/// load_language_model() and load_tokenizer().
StartModel start_model(const TrainOptions& options, std::span<const std::string> given);

/// The files of the tokenizer that a run writes beside its tokenizer.json: those of the checkpoint
/// that it resumes from, or of the folder that `tokenizer` or else `init` names. Error{io}.
std::vector<TokenizerFile> carried_files(const TrainOptions& options,
                                         const std::string& checkpoint);

/// Whether a new run has packed weights from its first step on; those of a model file cannot be
/// trained. Errors of packed_entries().
bool starts_packed(const StartOptions& options);

}  // namespace gyre
