#pragma once
#include <string>

#include "gyre/train/options.h"

namespace gyre {

/// Writes report.html into the folder of a training: what it came to, its curves, options, samples
/// and files, and the machine. `summary` says what was trained. Error{io}.
void write_report(const TrainOptions& options, const std::string& summary,
                  const TrainReport& report);

}  // namespace gyre
