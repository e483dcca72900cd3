#pragma once
#include <span>
#include <string>
#include <vector>

#include "gyre/io/json.h"
#include "gyre/models/train_options.h"

namespace gyre {

struct OptimizerTable;

/// A named set of options of `gyre train`.
struct TrainPreset {
  const char* name;
  const char* doc;
  void (*apply)(TrainOptions& options);
};
std::span<const TrainPreset> train_presets();

/// Resolved options of a run: explicit options, `config`, preset and defaults for the data; and the
/// names of those set explicitly or by the file. Errors: those of read_option_file(); value naming
/// an unknown option, preset or optimiser, or an option that does not apply to the data, the model
/// or the optimiser.
struct ResolvedOptions {
  TrainOptions options;
  std::vector<std::string> given;
};
ResolvedOptions resolve(const TrainOptions& options, std::span<const std::string> given,
                        const OptimizerTable& optimizers);
/// Names of all options that apply to these data and this optimiser, except those derived from
/// epochs or replaced by them.
std::vector<std::string> all_applicable(const TrainOptions& options,
                                        const OptimizerTable& optimizers);
/// "`batch` 64, `epochs` 10": defaults that differ for texts with the default model; for images and
/// arrays; for tables.
std::string suited_to_texts();
std::string suited_to_arrays();
std::string suited_to_tables();
/// The options that apply, as a file for `config` that reproduces the run. Options derived from
/// epochs once the data are known are not included.
Json config_of(const ResolvedOptions& resolved, const OptimizerTable& optimizers);

/// The options stored in a checkpoint.
Json stored_options(const TrainOptions& options, const OptimizerTable& optimizers);
/// The options of a checkpoint with changes_of_run applied.
TrainOptions continued_options(const ResolvedOptions& resolved, const Json& stored,
                               const OptimizerTable& optimizers);

}  // namespace gyre
