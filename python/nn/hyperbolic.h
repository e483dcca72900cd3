#pragma once
#include "python/core/errors.h"

namespace gyre::python {

/// Manifolds and parameters of points.
void add_hyperbolic(nb::module_ m);

}  // namespace gyre::python
