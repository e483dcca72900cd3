#pragma once
#include "python/core/errors.h"

namespace gyre::python {

/// Images, tables, texts and tokens of files.
void add_data_files(nb::module_& m);

}  // namespace gyre::python
