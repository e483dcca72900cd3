#pragma once
#include "python/core/errors.h"

namespace gyre::python {

/// Learning-rate schedules, gradient clipping, EMA, loss scaling.
void add_optim_parts(nb::module_& m);

}  // namespace gyre::python
