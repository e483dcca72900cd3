#pragma once
#include "python/core/errors.h"

namespace gyre::python {

/// Gives the bound functions and methods of a module a `__signature__`, which inspect.signature()
/// reads: gyre/_signatures.py makes it when it is asked for.
void add_signatures(nb::handle module);

}  // namespace gyre::python
