#pragma once
#include "gyre/logic/analysis/names.h"

namespace gyre::logic {

/// Reads the files of all relations and tensors; relative paths are of `folder`. Symbols join the
/// domains. Diagnostics: E0103, E0402.
void read_files(Names& names, const std::string& folder, Diagnostics& diagnostics);

}  // namespace gyre::logic
