#pragma once
#include <span>
#include <vector>

#include "gyre/packed/field/field.h"

namespace gyre {

/// `count` atoms whose sum is near to a table [rows, cols]: each in turn is the best of a grid of
/// frequencies for what the others leave, then refined by Gauss-Newton least squares; in a second
/// round each is fitted anew. Unused atoms have frequency and phase 0, so that they add 0; so do
/// those whose amplitude would be below 2^-16. Error{numeric} for numbers that no amplitude
/// reaches.
std::vector<FieldAtom> fit_atoms(std::span<const float> table, int64_t rows, int64_t cols,
                                 int count);

}  // namespace gyre
