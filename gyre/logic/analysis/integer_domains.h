#pragma once
#include "gyre/logic/analysis/names.h"

namespace gyre::logic {

/// Numbers the elements of inferred domains that have only integers by their values, so that they
/// are compared, added and joined with the axes of tensors as the integers that they are. A domain
/// whose largest integer is 1024 or more and more than four times the number of its elements keeps
/// them as symbols. Call it when all symbols of text and data have joined.
void number_integer_domains(Names& names);

}  // namespace gyre::logic
