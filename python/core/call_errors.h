#pragma once
#include "python/core/errors.h"

namespace gyre::python {

/// Lets the bound functions of a module, its submodules and classes report arguments that do not
/// match in one sentence with the function, the argument and the type it got, such as "linspace:
/// stop: expected float, got str", in place of nanobind's list of signatures. To be called once,
/// after everything is bound.
void explain_calls(nb::handle module);

}  // namespace gyre::python
