#pragma once
#include <string>

#include "gyre/io/json.h"
#include "gyre/models/train_options.h"

namespace gyre {

/// Writes report.html into the output folder: results, curves, options, samples, files and machine;
/// without new steps, time and throughput of the last run that had some, up to its last step; and
/// the validation losses of runs to `compare` with.
/// `shown` are the options that apply, `summary` describes the run. Error{io}.
void write_report(const TrainOptions& options, const Json& shown, const std::string& summary,
                  const TrainReport& report);

}  // namespace gyre
