#pragma once
#include "python/core/errors.h"

namespace gyre::python {

/// Trained networks of layers with their data encoding.
void add_predictor(nb::module_& m);

}  // namespace gyre::python
