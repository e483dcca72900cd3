#pragma once
#include "gyre/logic/analysis/names.h"

namespace gyre::logic {

/// Reads the files of all relations and tensors; relative paths are of `folder`. Symbols join the
/// domains. Diagnostics: E0103, E0402.
void read_files(Names& names, const std::string& folder, Diagnostics& diagnostics);

/// Whether a path ends with .csv or .tsv.
bool is_tuple_file(std::string_view path);

/// Writes a record for each tuple through an AtomicFile, with fields quoted where they need it.
/// Errors: io.
void write_tuples(const std::string& path, std::span<const std::vector<Symbol>> tuples);

}  // namespace gyre::logic
