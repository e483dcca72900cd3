#pragma once
#include "python/core/errors.h"

namespace gyre::python {

/// Manifolds and manifold parameters.
void add_hyperbolic(nb::module_ m);

}  // namespace gyre::python
