#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/io/json.h"
#include "gyre/train/options.h"

namespace gyre {

/// A named set of options of `gyre train`.
struct TrainPreset {
  const char* name;
  const char* doc;
  void (*apply)(TrainOptions& options);
};
std::span<const TrainPreset> train_presets();

/// All that a training is told: options with `config`, preset and what suits the data, and which of
/// them were set by hand or by the file. Errors: io and parse of the file; value naming an unknown
/// key, preset or optimiser.
struct ResolvedOptions {
  TrainOptions options;
  std::vector<std::string> given;
};
ResolvedOptions resolve(const TrainOptions& options, std::span<const std::string> given);
/// Whether epochs decide this option when the data are known.
bool follows_from_epochs(std::string_view option);
/// The options as a file that `config` takes: it makes the same training. What epochs decide when
/// the data are known is not in it.
Json config_of(const ResolvedOptions& resolved);

/// What a checkpoint keeps of the options.
Json stored_options(const TrainOptions& options);
/// The options that a checkpoint has kept, changed where that is free: what is said of the run and
/// not of the numbers (folders, threads, workers, validations, checkpoints, samples, traces,
/// patience), steps and epochs. Error{value} naming another that is given and differs.
TrainOptions continued_options(const ResolvedOptions& resolved, const Json& stored);

}  // namespace gyre
