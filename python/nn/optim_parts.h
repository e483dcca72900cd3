#pragma once
#include "python/core/errors.h"

namespace gyre::python {

/// Schedules, clipping, averages, loss scales.
void add_optim_parts(nb::module_& m);

}  // namespace gyre::python
