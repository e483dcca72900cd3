#pragma once
#include "gyre/logic/program_impl.h"

namespace gyre::logic {

/// Finds what is wrong with the scripts of a program without running them: names, functions,
/// queries, and statements that do not stand in blocks. Adds to its diagnostics.
void check_scripts(Program::Impl& program);
/// The same of some statements.
void check_scripts(Program::Impl& program, std::span<const Statement* const> statements,
                   Diagnostics& diagnostics);

}  // namespace gyre::logic
