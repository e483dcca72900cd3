#pragma once
#include "python/errors.h"

// The parts of the module _gyre.

namespace gyre::python {

void add_creation(nb::module_& m);
/// backward, grad, no_grad and what else differentiates.
void add_autograd(nb::module_& m);
/// Transforms of functions, custom functions, gradcheck.
void add_functional(nb::module_& m);

/// save and load.
void add_files(nb::module_& m);

}  // namespace gyre::python
