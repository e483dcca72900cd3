#pragma once
#include <span>
#include <string>
#include <vector>

#include "gyre/io/json.h"
#include "gyre/train/options.h"

namespace gyre {

struct OptimizerTable;

/// A named set of options of `gyre train`.
struct TrainPreset {
  const char* name;
  const char* doc;
  void (*apply)(TrainOptions& options);
};
std::span<const TrainPreset> train_presets();

/// All that a training is told: options with `config`, preset and what suits the data, and which of
/// them were set by hand or by the file. Errors: those of OptionFile; value naming an unknown
/// option, preset or optimiser, and an option that means nothing with such data or optimiser.
struct ResolvedOptions {
  TrainOptions options;
  std::vector<std::string> given;
};
ResolvedOptions resolve(const TrainOptions& options, std::span<const std::string> given,
                        const OptimizerTable& optimizers);
/// The names of all options that mean something with these data and this optimiser, but those that
/// epochs decide or that they take the place of.
std::vector<std::string> all_applicable(const TrainOptions& options,
                                        const OptimizerTable& optimizers);
/// "batch 64, epochs 10": the defaults of images, arrays and tables that are others.
std::string suited_to_examples();
/// The options that mean something as a file that `config` takes: it makes the same training. What
/// epochs decide when the data are known is not in it.
Json config_of(const ResolvedOptions& resolved, const OptimizerTable& optimizers);

/// What a checkpoint keeps of the options.
Json stored_options(const TrainOptions& options, const OptimizerTable& optimizers);
/// The options that a checkpoint has kept, and changes_of_run.
TrainOptions continued_options(const ResolvedOptions& resolved, const Json& stored);

}  // namespace gyre
