#pragma once
#include "gyre/logic/analysis/names.h"

namespace gyre::logic {

/// Finds the domains of the positions of all relations: declared ones, those of relations that
/// share a variable in a rule, and for the rest a new one each; then adds the symbols of facts and
/// rules. Diagnostics: E0101, E0103, E0201, E0202.
void find_rule_domains(Names& names, Diagnostics& diagnostics);

}  // namespace gyre::logic
