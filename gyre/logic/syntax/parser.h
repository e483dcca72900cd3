#pragma once
#include "gyre/logic/syntax/diagnostic.h"
#include "gyre/logic/syntax/syntax.h"

namespace gyre::logic {

/// Brackets, signs before a factor and blocks inside each other that a program may have.
inline constexpr int kMostNested = 200;
/// Levels of the tree of an expression: its operators of one level lean to the left, one a level.
inline constexpr int kMostLevels = 1000;

/// Parses a file of the sources by the grammar of docs/logic/grammar.ebnf. A statement with an
/// error becomes a Broken one and a diagnostic; parsing continues with the next statement.
Body parse(const Sources& sources, uint32_t file, Diagnostics& diagnostics);

/// Parses text that is one query without "?" or with it, such as `Ancestor(Alice, x)`.
std::optional<Statement> parse_query(const Sources& sources, uint32_t file,
                                     Diagnostics& diagnostics);

}  // namespace gyre::logic
