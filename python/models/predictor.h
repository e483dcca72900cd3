#pragma once
#include "python/core/errors.h"

namespace gyre::python {

/// Networks of layers that were trained, with how they read data.
void add_predictor(nb::module_& m);

}  // namespace gyre::python
