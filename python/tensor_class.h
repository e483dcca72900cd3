#pragma once
#include "python/errors.h"

namespace gyre::python {

/// Adds gyre.Tensor, to which the module adds the ops of the table as methods and operators.
void add_tensor_class(nb::module_& m);

}  // namespace gyre::python
