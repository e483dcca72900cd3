#pragma once
#include <span>

#include "gyre/io/json.h"
#include "gyre/logic/syntax/diagnostic.h"

namespace gyre {

/// Writes all diagnostics of a program to standard error and returns the exit code of the command.
/// As text: each as logic::text_of() gives it, then a line with their number, "gyre: 2 errors".
/// As `json`: the object {"error": {..}, "diagnostics": [..]}, its first member as other commands
/// have it.
int complain(const logic::ProgramError& error, bool json);

/// [{"file", "line", "column", "severity", "code", "message", "note", "help"}]; severity is "error"
/// or "warning", an unknown text "".
[[nodiscard]] Json diagnostics_json(std::span<const logic::LocatedDiagnostic> diagnostics);

}  // namespace gyre
