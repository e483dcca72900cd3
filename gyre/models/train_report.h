#pragma once
#include <string>

#include "gyre/io/json.h"
#include "gyre/train/options.h"

namespace gyre {

/// Writes report.html into the folder of a training: what it came to, its curves, options, samples
/// and files, and the machine; after a run without a step to do, time and speed of the last that
/// had one, up to its last step. `shown` are the options that meant something, `summary` says what
/// was trained. Error{io}.
void write_report(const TrainOptions& options, const Json& shown, const std::string& summary,
                  const TrainReport& report);

}  // namespace gyre
