#pragma once
#include "python/core/errors.h"

namespace gyre::python {

/// Readers for images, tables, text and token files.
void add_data_files(nb::module_& m);

}  // namespace gyre::python
