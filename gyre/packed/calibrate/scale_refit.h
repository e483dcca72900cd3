#pragma once
#include <span>
#include <vector>

#include "gyre/packed/calibrate/bands.h"

namespace gyre {

/// Sets the headers of groups, so that tr(O D H D^T) of the errors D gets smaller: least squares
/// for one group after the other, with those before it. `errors` are those of the words with
/// `scales` and the format's angle. h [cols, cols] and o [rows, rows], empty: identities.
/// Error{numeric} for scales that are too large.
void refit_scales(const PackedStorage& to, int seed, std::span<const float> h,
                  std::span<const float> o, Bands& errors, std::span<const double> scales);

}  // namespace gyre
