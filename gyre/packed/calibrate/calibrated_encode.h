#pragma once
#include "gyre/base/function_ref.h"
#include "gyre/packed/ring.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// How much errors of a matrix [rows, cols] matter: an error D costs tr(O D H D^T) for the matrices
/// H of its inputs and O of its outputs. An empty one stands for the identity.
struct CalibrationSides {
  Tensor inputs{};       ///< [cols, cols], symmetric, positive semidefinite
  Tensor outputs{};      ///< [rows, rows], the same
  double damping = 0.1;  ///< this much of the mean of its diagonal is added to that of each
};

/// tr(O D H D^T), without damping, for the error D of packed weights w of x. Error{shape}.
double calibrated_error(const Tensor& x, const Tensor& w, const CalibrationSides& sides);

/// packed_encode() with feedback: tiles are packed one after the other, from the last output and
/// input to the first, and what the errors of those before can be made up for by a tile is added to
/// its targets, by a block LDL^T decomposition of each side (block LDLQ: Tseng et al. 2024; of two
/// sides: Tseng et al. 2025, "YAQA"). Scales of groups then minimise the error. The same words on
/// any number of threads and every instruction set. Errors: those of packed_encode(); shape for
/// sides of other sizes; numeric for sides that are not positive semidefinite.
Tensor packed_encode_calibrated(
    const Tensor& x, const RingFormat& format, const CalibrationSides& sides, int seed = 1,
    FunctionRef<void(int64_t weights)> done = [](int64_t) {});

}  // namespace gyre
