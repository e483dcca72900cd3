#pragma once
#include <string>

#include "gyre/logic/syntax/source.h"

namespace gyre::logic {

/// A program with its spaces, indentation and blank lines in one style. Lines are not joined or
/// split, comments stay, and what it gives parses to the same tree and is left as it is by a second
/// call. An empty program gives an empty text.
/// - 4 spaces for what stands in brackets or continues a statement;
/// - a space around operators, but none around ^ and .. and in an index such as [x+dx];
/// - two spaces before a comment at the end of a line, at most one blank line in a row.
/// Errors: ProgramError where the program has syntax errors.
[[nodiscard]] std::string format_program(SourceFile program);

}  // namespace gyre::logic
